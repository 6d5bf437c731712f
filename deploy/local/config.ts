import { join, resolve } from 'node:path';
import { REPOSITORY } from './repository.js';

export const INFRASTRUCTURES = ['external', 'docker', 'embedded'] as const;
export type InfrastructureKind = (typeof INFRASTRUCTURES)[number];

/** Default of PO_LOCAL_DIR, the folder of all local data. */
export const DEFAULT_DIR = join(REPOSITORY, '.local');

/** Addresses of stores that are already running. */
export interface ExternalStores {
  kafkaBrokers: string;
  databaseUrl: string;
  redisUrl: string;
}

/** An external identity provider, or null and the settings of the demo provider. */
export interface IdentitySettings {
  jwksUrl: string | null;
  issuer: string;
  audience: string;
}

/** Addresses of the demo provider and the portal for browsers, for commands that cannot derive them. */
interface SignInSettings {
  authority: string;
  /** Origin of the portal. */
  portal: string;
}

export interface LocalSettings {
  /** Port of the first gateway; further replicas use the following ports. */
  port: number;
  /** Folder of all written files. */
  dir: string;
  /** Null: the first available kind. */
  infrastructure: InfrastructureKind | null;
  external: Partial<ExternalStores>;
  identity: IdentitySettings;
  signIn: SignInSettings;
  /** The portal of an external identity provider. Services inherit it; `stack.json` also gets its `portalUrl` from it. */
  portal: { PORTAL?: string };
}

const setting = (name: string): string | undefined => process.env[name] || undefined;

/** Reads the settings of the local stack from the environment. Throws for an invalid value, with the name of its variable. */
export function readSettings(): LocalSettings {
  const port = Number(setting('PORT') ?? 8080);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Error('PORT must be a port number, such as PORT=8080');
  const infrastructure = setting('PO_INFRA') ?? null;
  if (infrastructure !== null && !isInfrastructure(infrastructure)) {
    throw new Error(`PO_INFRA must be one of ${INFRASTRUCTURES.join(', ')}, not "${infrastructure}"`);
  }
  return {
    port,
    dir: resolve(REPOSITORY, setting('PO_LOCAL_DIR') ?? DEFAULT_DIR),
    infrastructure,
    external: {
      kafkaBrokers: setting('KAFKA_BROKERS'),
      databaseUrl: setting('DATABASE_URL'),
      redisUrl: setting('REDIS_URL'),
    },
    identity: readIdentity(),
    signIn: {
      authority: setting('DEMO_AUTHORITY') ?? 'http://127.0.0.1:8090',
      portal: setting('DEMO_PORTAL') ?? 'http://127.0.0.1:8080',
    },
    portal: setting('PORTAL') === 'true' ? { PORTAL: 'true' } : {},
  };
}

function readIdentity(): IdentitySettings {
  const jwksUrl = setting('AUTH_JWKS_URL') ?? null;
  const [issuer, audience] = [setting('AUTH_ISSUER'), setting('AUTH_AUDIENCE')];
  if (jwksUrl && !(issuer && audience)) {
    throw new Error('AUTH_JWKS_URL also needs AUTH_ISSUER and AUTH_AUDIENCE');
  }
  return { jwksUrl, issuer: issuer ?? 'https://id.demo.example', audience: audience ?? 'purchase-orders' };
}

function isInfrastructure(value: string): value is InfrastructureKind {
  return (INFRASTRUCTURES as readonly string[]).includes(value);
}

/**
 * Environment of a child process: this process's environment with changes; null removes a variable. For databases without TLS, such as
 * the local ones, the PGSSL variables are removed, because services refuse some values that other programs accept. For other brokers or
 * another Redis than those of this process's environment, such as the local ones, its variables for TLS and SASL are removed.
 */
export function childEnvironment(changes: Record<string, string | null>): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = { ...process.env };
  const urls = Object.entries(changes).filter(([name]) => name.startsWith('DATABASE_URL'));
  const removed: string[] = [];
  if (urls.some(([, url]) => url?.includes('sslmode=disable'))) removed.push('PGSSL');
  const isOther = (name: string) => changes[name] !== undefined && changes[name] !== (environment[name] ?? null);
  if (isOther('KAFKA_BROKERS')) removed.push('KAFKA_SSL', 'KAFKA_SASL_');
  if (isOther('REDIS_URL')) removed.push('REDIS_TLS_');
  for (const name of Object.keys(environment))
    if (removed.some((prefix) => name.startsWith(prefix))) delete environment[name];
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) delete environment[name];
    else environment[name] = value;
  }
  return environment;
}

/** Whether tests use this machine's Docker engine and images from registries instead of their own engine and images. */
export const usesHostDockerEngine = (): boolean => setting('PO_DOCKER_ENGINE') === 'machine';

/** Makes testcontainers use the engine of the docker command, whose context it does not read. Without effect if DOCKER_HOST is set. */
export function useDockerEngine(address: string): void {
  if (setting('DOCKER_HOST') || !address.startsWith('unix://')) return;
  process.env['DOCKER_HOST'] = address;
  // Elsewhere, the socket is that of a virtual machine, in which it has the usual path. Docker Desktop also uses `.docker/run`, but
  // testcontainers recognizes it and takes the usual path.
  if (!/^unix:\/\/(\/var)?\/run\/|\/\.docker\/run\//.test(address))
    process.env['TESTCONTAINERS_DOCKER_SOCKET_OVERRIDE'] ??= '/var/run/docker.sock';
}

/** Seed of the random choices of the fault tier, if given. */
export const faultsSeed = (): string | undefined => setting('FAULTS_SEED');

/** Java program: that of JAVA_HOME, or else the one on the PATH. */
export function javaCommand(): string {
  const home = setting('JAVA_HOME');
  return home ? `${home}/bin/java` : 'java';
}

/** Working directory of the npm caller, which relative paths refer to. */
export const callersFolder = (): string => setting('INIT_CWD') ?? process.cwd();

/** Folder for screenshots of the portal tests, from SCREENSHOTS; empty if they take none. */
export function screenshotsFolder(): string {
  const folder = setting('SCREENSHOTS');
  return folder ? resolve(callersFolder(), folder) : '';
}
