import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type InfrastructureKind, readSettings } from '../../deploy/local/config.js';
import { logsIn } from '../../deploy/local/logs/log-files.js';
import { containerStores } from '../../deploy/local/stores/container-stores.js';
import { type Stores, startInfrastructure } from '../../deploy/local/stores/infrastructure.js';
import type { Process } from '../../deploy/local/processes/process.js';
import { Processes } from '../../deploy/local/processes/processes.js';
import { nodeName } from '../../deploy/local/stores/embedded-kafka.js';
import { REPOSITORY } from '../../deploy/local/repository.js';
import { type Stack, startStack } from '../../deploy/local/stack/stack.js';
import type { ServiceName } from '../../deploy/local/stack/stack-file.js';
import { testSettings } from '../../deploy/local/stack/test-settings.js';
import { IdentityProvider } from '@po/testing/identity-provider';
import { FaultyMailServer } from './mail-server.js';
import { USERS, USER_NAMES, type UserName } from './users.js';

export type StoreName = 'Kafka' | 'PostgreSQL' | 'Redis';

/** The issuer of tokens that the services accept, and the current token of each user. */
interface Identity {
  jwksUrl: string;
  issuer: string;
  audience: string;
  tokenOf: (user: UserName) => string;
}

/** A stack whose stores and service replicas are processes that tests can stop, freeze and kill. */
export interface FaultStack {
  dir: string;
  stack: Stack;
  provider: IdentityProvider;
  tokenOf: Identity['tokenOf'];
  mailServer: FaultyMailServer;
  replicas: (service: ServiceName) => Process[];
  store: (name: StoreName) => Process;
  /** Ids start at 1. */
  broker: (id: number) => Process;
  /** For scenarios that start stores themselves. */
  processes: Processes;
  stop: () => Promise<void>;
}

function required(variable: string): string {
  const value = process.env[variable];
  if (!value) throw new Error(`${variable} is not set: run these tests by "npm run test:faults"`);
  return value;
}

export interface FaultStackOptions {
  /** One by default. */
  brokers?: number;
  /** Milliseconds after which a silent broker loses its partitions. */
  brokerSessionMs?: number;
  /** Runs after the stores have started and before the services start. */
  prepare?: (stores: Stores, dir: string) => Promise<void>;
  /** Default: the identity of `provider`. */
  identity?: Identity;
  /** Root of another built checkout from which the services are started. */
  build?: string;
}

/** `embedded`, or with FAULTS_STORES=any that of PO_INFRA; never external stores, because the names of the databases are fixed. */
function kindOfStores(): InfrastructureKind | null {
  if (process.env.FAULTS_STORES !== 'any') return 'embedded';
  const { infrastructure } = readSettings();
  return infrastructure === 'external' ? null : infrastructure;
}

/** Starts the stores, as child processes unless FAULTS_STORES is `any`, and FAULTS_REPLICAS replicas of every service. */
export async function startFaultStack(options: FaultStackOptions = {}): Promise<FaultStack> {
  const [dir, cache] = [required('FAULTS_DIR'), required('FAULTS_CACHE')];
  const control = join(dir, 'control');
  await mkdir(control, { recursive: true });
  const processes = new Processes(dir);
  const provider = await IdentityProvider.start();
  const { prepare, build, identity = identityOf(provider), ...cluster } = options;
  const mailServer = await FaultyMailServer.start(join(dir, 'mail-server'));
  try {
    const step = <T>(_label: string, work: () => Promise<T>) => work();
    const stores = await startInfrastructure({
      dir,
      cache,
      processes,
      step,
      fresh: false,
      isShortLived: true,
      ...cluster,
      settings: { infrastructure: kindOfStores(), external: {} },
      docker: containerStores,
    });
    await prepare?.(stores, dir);
    const stack = await startStack({
      dir,
      port: null,
      replicas: Number(required('FAULTS_REPLICAS')),
      stores,
      processes,
      step,
      build,
      identity,
      environment: environment(control),
      environmentOf: (service) => (service === 'mail' ? mailEnvironment(mailServer) : {}),
      logs: logsIn(dir),
    });
    return {
      dir,
      stack,
      provider,
      tokenOf: identity.tokenOf,
      mailServer,
      processes,
      replicas: (service) => processes.named(service),
      // The last one, because a scenario may have replaced the store.
      store: (name) => processes.named(name).at(-1) as Process,
      broker: (id) => processes.named(nodeName('Kafka', { id }))[0] as Process,
      stop: async () => {
        await stack.stop();
        await processes.stop();
        await mailServer.down();
        await provider.stop();
      },
    };
  } catch (error) {
    processes.kill();
    await mailServer.down();
    await provider.stop();
    throw error;
  }
}

function identityOf(provider: IdentityProvider): Identity {
  const tokens = new Map(USER_NAMES.map((name) => [name, provider.token(USERS[name])]));
  const { url: jwksUrl, issuer, audience } = provider;
  return { jwksUrl, issuer, audience, tokenOf: (user) => tokens.get(user) ?? '' };
}

const mailEnvironment = ({ url }: FaultyMailServer): Record<string, string> => ({
  SMTP_URL: url,
  // Short, so that notifications are spread over many mails.
  MAIL_GROUP_SECONDS: '1',
});

/** Folder of the files with which tests set crash points and routes of the services. */
export const controlFolder = ({ dir }: Pick<FaultStack, 'dir'>): string => join(dir, 'control');

const environment = (control: string): Record<string, string> => ({
  NODE_OPTIONS: `--import=${pathToFileURL(join(REPOSITORY, 'test/faults/crash-points.ts')).href}`,
  FAULTS_CONTROL: control,
  // Short, so that an outage of the identity provider spans several refreshes.
  AUTH_JWKS_MAX_AGE_S: '4',
  ...testSettings(),
});
