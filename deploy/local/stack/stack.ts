import { mkdir } from 'node:fs/promises';
import { connectKafka, ensureTopics, replicationOn } from '@po/messaging';
import { createLogger } from '@po/platform';
import { apiClient } from '../api-client.js';
import type { IdentitySettings } from '../config.js';
import { type DatabaseNames, createDatabases } from '@po/testing/service-databases';
import { demoTokens } from './demo-token.js';
import { startIdentityProvider } from './identity-provider.js';
import { startMailbox } from './mailbox.js';
import { eventually } from '@po/testing/eventually';
import { type Stores, mailsIn } from '../stores/infrastructure.js';
import { kafkaAt } from '../kafka-settings.js';
import { loadKeys } from './keys.js';
import { logFile } from '../logs/log-files.js';
import { HOST, isFree, reservePorts } from '../processes/ports.js';
import type { Process } from '../processes/process.js';
import type { Processes } from '../processes/processes.js';
import type { Step } from '../progress.js';
import { type ServiceSettings, isBuilt, migrateDatabases, portalEnvironment, startService } from './services.js';
import { portalClient } from './sign-in/portal-client.js';
import {
  SERVICES,
  SERVICE_NAMES,
  type ServiceName,
  type StackFile,
  removeStackFile,
  refreshStackFile,
  writeStackFile,
} from './stack-file.js';

/** On a busy machine, the first start may take minutes. */
const READY_MS = 5 * 60_000;
const RENEW_TOKENS_MS = 60 * 60 * 1000;

export interface StackOptions {
  /** Folder of keys, ports and `stack.json`. */
  dir: string;
  /** Port of the first gateway; further replicas use the following ports. Null for any free ports. */
  port: number | null;
  replicas: number;
  stores: Stores;
  identity: IdentitySettings;
  processes: Processes;
  databases?: DatabaseNames;
  /** Further settings of all services. */
  environment?: Record<string, string>;
  /** Further settings of one service. */
  environmentOf?: (service: ServiceName) => Record<string, string>;
  /** Creates the topics; `createTopics` if absent. */
  topics?: () => Promise<unknown>;
  /** Root of another built checkout for the services. Topics and schemas always come from this one, because an upgrade starts with them. */
  build?: string;
  /** Folder for the logs of the services; the output of this process if absent. */
  logs?: string;
  step: Step;
}

export interface Stack {
  file: () => StackFile;
  /** Rewrites `stack.json`; call it after a process was replaced. */
  refresh: () => void;
  /** Marks the stack as ready in `stack.json`. */
  announce: () => void;
  /** Stops everything except the processes, which stop with their `Processes`. */
  stop: () => Promise<void>;
}

/** Creates topics, databases and keys, and starts the identity provider and the five services. Resolves when everything answers. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { dir, stores, identity, step } = options;
  await mkdir(dir, { recursive: true });
  const ports = await takeStackPorts(options);
  const keys = await loadKeys(dir);
  const [databases] = await Promise.all([
    step('create databases and migrate', async () => {
      const urls = await createDatabases(stores.databaseUrl, options.databases);
      await migrateDatabases(options.processes, urls);
      return urls;
    }),
    step('create topics', options.topics ?? (() => createTopics(stores.kafkaBrokers))),
  ]);
  const demo = { key: keys.identity, issuer: identity.issuer, audience: identity.audience };
  const gatewayUrls = ports.gateways.map((port) => `http://${HOST}:${port}`);
  const signIn = { identity: demo, client: portalClient(gatewayUrls), port: ports.jwks };
  const provider = identity.jwksUrl === null ? await startIdentityProvider(signIn) : null;
  const jwksUrl = identity.jwksUrl ?? provider?.jwksUrl ?? '';
  let tokens = provider ? await demoTokens(demo) : {};
  let ready = false;

  const { kafkaBrokers, redisUrl } = stores;
  const portal = provider ? portalEnvironment(provider.authority, options.build) : {};
  const environment = { ...portal, ...options.environment };
  const mailbox = await startMailbox(mailsIn(dir), ports.mailbox);
  const publicUrl = gatewayUrls[0] ?? '';
  const smtpUrl = mailbox.smtpUrl;
  const settings = { ...identity, kafkaBrokers, redisUrl, databases, keys, jwksUrl, smtpUrl, publicUrl, environment };
  const started = startServices(options, settings, ports);
  const managementUrls = perService((service) =>
    isBuilt(service, options.build) ? ports.management[service].map((port) => `http://${HOST}:${port}`) : [],
  );
  const file = (): StackFile => ({
    ready,
    gatewayUrl: gatewayUrls[0] ?? '',
    gatewayUrls,
    portalUrl: environment.PORTAL === 'true' ? `${gatewayUrls[0] ?? ''}/` : null,
    kafkaBrokers,
    databaseUrls: {
      purchaseOrders: databases.purchaseOrders.inspection,
      notifications: databases.notifications.inspection,
      mail: databases.mail.inspection,
    },
    redisUrl,
    mailUrl: mailbox.url,
    jwksUrl,
    issuer: identity.issuer,
    audience: identity.audience,
    managementUrls,
    pids: { ...perService((service) => options.processes.pids(service)), ...stores.pids() },
    tokens,
  });
  const write = () => writeStackFile(dir, file());
  write();
  await step('start the services', () => allAnswer(started, gatewayUrls, Object.values(managementUrls).flat()));
  const renewal = setInterval(() => {
    if (provider)
      void demoTokens(demo)
        .then((fresh) => (tokens = fresh), console.error)
        .then(() => refreshStackFile(dir, file()));
  }, RENEW_TOKENS_MS);
  return {
    file,
    refresh: () => refreshStackFile(dir, file()),
    announce: () => {
      ready = true;
      write();
    },
    stop: async () => {
      clearInterval(renewal);
      await provider?.stop();
      await mailbox.stop();
      await removeStackFile(dir);
    },
  };
}

const perService = <T>(of: (service: ServiceName) => T): Record<ServiceName, T> =>
  Object.fromEntries(SERVICES.map((service) => [service, of(service)])) as Record<ServiceName, T>;

interface StackPorts {
  jwks: number;
  mailbox: { smtp: number; http: number };
  gateways: number[];
  management: Record<ServiceName, number[]>;
}

async function takeStackPorts({ dir, port, replicas }: StackOptions): Promise<StackPorts> {
  const all = Array.from({ length: replicas }, (_, replica) => replica);
  const chosen = port === null ? [] : all.map((replica) => port + replica);
  const names = [
    'jwks',
    'smtp',
    'mailbox',
    ...all.map((replica) => `http-${replica}`),
    ...SERVICES.flatMap((service) => all.map((replica) => `${service}-${replica}`)),
  ];
  const taken = await reservePorts(dir, names, chosen);
  // This process may just have taken a port of the gateways, to reserve others.
  if (port !== null) await requireFreePorts(port, replicas);
  const named = (prefix: string) => all.map((replica) => taken[`${prefix}-${replica}`] ?? 0);
  const gateways = port === null ? named('http') : chosen;
  const mailbox = { smtp: taken.smtp ?? 0, http: taken.mailbox ?? 0 };
  return { jwks: taken.jwks ?? 0, mailbox, gateways, management: perService(named) };
}

/** Rejects with the port number if the gateways cannot listen on one of their ports. */
export async function requireFreePorts(port: number, replicas: number): Promise<void> {
  for (let gateway = port; gateway < port + replicas; gateway += 1) {
    if (!(await isFree(gateway))) throw new Error(`port ${gateway} is in use or not allowed: set PORT to another one`);
  }
}

function startServices(options: StackOptions, settings: ServiceSettings, ports: StackPorts): Process[] {
  const { processes, replicas, logs, build, environmentOf } = options;
  return SERVICES.filter((service) => isBuilt(service, build)).flatMap((service) =>
    Array.from({ length: replicas }, (_, replica) =>
      startService(processes, service, settings, {
        http: service === 'gateway' ? (ports.gateways[replica] ?? 0) : null,
        management: ports.management[service][replica] ?? 0,
        build,
        environment: environmentOf?.(service),
        log: logs && logFile(logs, SERVICE_NAMES[service], replica),
      }),
    ),
  );
}

/** Creates missing topics, with a replication factor that fits the number of listed brokers. */
export async function createTopics(kafkaBrokers: string): Promise<void> {
  const logger = createLogger('topics', 'warn');
  const kafka = connectKafka(kafkaAt(kafkaBrokers), 'topics', logger);
  await ensureTopics(kafka, logger, { replication: replicationOn(kafkaBrokers.split(',').length) });
}

/** Resolves when every service is ready and every gateway answers. Rejects if a service ends, or does not become ready. */
async function allAnswer(started: readonly Process[], gateways: string[], management: string[]): Promise<void> {
  const giveUp = () => started.map((process) => process.failure()).find(Boolean);
  const waiting = { timeoutMs: READY_MS, giveUp };
  await Promise.all(
    management.map((url) =>
      eventually(
        `${url} is ready`,
        async () => {
          const answer = await fetch(`${url}/readyz`);
          if (!answer.ok) throw new Error(await answer.text());
          return true;
        },
        waiting,
      ),
    ),
  );
  await Promise.all(
    gateways.map((gateway) => eventually(`${gateway} answers`, () => apiClient(gateway).get('/me'), waiting)),
  );
}
