import { join, resolve } from 'node:path';
import { REPOSITORY } from './repository.js';

export const INFRASTRUCTURES = ['external', 'docker', 'embedded'] as const;
export type InfrastructureKind = (typeof INFRASTRUCTURES)[number];

/** The default of PO_LOCAL_DIR, the folder of all local data. */
export const DEFAULT_DIR = join(REPOSITORY, '.local');

/** Where stores that are already running are. */
export interface ExternalStores {
  kafkaBrokers: string;
  databaseUrl: string;
  redisUrl: string;
}

/** An identity provider of one's own instead of the demo provider. */
export interface IdentitySettings {
  jwksUrl: string | null;
  issuer: string;
  audience: string;
}

/** Where browsers find the demo provider and the portal, where the commands cannot know it themselves. */
interface SignInSettings {
  authority: string;
  /** An origin. */
  portal: string;
}

export interface LocalSettings {
  /** The gateway's port; further replicas listen on the ones after it. */
  port: number;
  /** Everything that is written lies in this folder. */
  dir: string;
  /** Null: the first that can work. */
  infrastructure: InfrastructureKind | null;
  external: Partial<ExternalStores>;
  identity: IdentitySettings;
  signIn: SignInSettings;
}

const setting = (name: string): string | undefined => process.env[name] || undefined;

/** The environment of the local stack. Throws, naming the variable, for a value that cannot be. */
export function readSettings(): LocalSettings {
  const port = Number(setting('PORT') ?? 8080);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new Error('PORT must be a port number, as PORT=8080');
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
  };
}

function readIdentity(): IdentitySettings {
  const jwksUrl = setting('AUTH_JWKS_URL') ?? null;
  const [issuer, audience] = [setting('AUTH_ISSUER'), setting('AUTH_AUDIENCE')];
  if (jwksUrl && !(issuer && audience)) {
    throw new Error('AUTH_JWKS_URL needs AUTH_ISSUER and AUTH_AUDIENCE beside it');
  }
  return { jwksUrl, issuer: issuer ?? 'https://id.demo.example', audience: audience ?? 'purchase-orders' };
}

function isInfrastructure(value: string): value is InfrastructureKind {
  return (INFRASTRUCTURES as readonly string[]).includes(value);
}

/**
 * The environment that child processes get: this one's, and on top what is given; null takes a variable away. What this one says of TLS to
 * PostgreSQL is not for those whose databases have none, as our own: services refuse values that other programs know.
 */
export function childEnvironment(changes: Record<string, string | null>): NodeJS.ProcessEnv {
  const environment: NodeJS.ProcessEnv = { ...process.env };
  const urls = Object.entries(changes).filter(([name]) => name.startsWith('DATABASE_URL'));
  if (urls.some(([, url]) => url?.includes('sslmode=disable')))
    for (const name of Object.keys(environment)) if (name.startsWith('PGSSL')) delete environment[name];
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) delete environment[name];
    else environment[name] = value;
  }
  return environment;
}

/** True: tests use the Docker engine of this machine and the images of registries, instead of an engine and images of their own. */
export const usesEngineOfMachine = (): boolean => setting('PO_DOCKER_ENGINE') === 'machine';

/** Seed of the random choices of the fault tier, if given. */
export const faultsSeed = (): string | undefined => setting('FAULTS_SEED');

/** The Java program to run: JAVA_HOME's, else the one on the PATH. */
export function javaCommand(): string {
  const home = setting('JAVA_HOME');
  return home ? `${home}/bin/java` : 'java';
}

/** Where the person who called npm stands: what relative paths mean. */
export const callersFolder = (): string => setting('INIT_CWD') ?? process.cwd();

/** Where the tests of the portal keep screenshots, by SCREENSHOTS; empty if they take none. */
export function screenshotsFolder(): string {
  const folder = setting('SCREENSHOTS');
  return folder ? resolve(callersFolder(), folder) : '';
}
