import { ACTION_NAMES, type Action, type Preferences } from '@po/contracts';
import { type KafkaPort, connectKafka } from '@po/messaging';
import { pino } from 'pino';
import { SERVICES } from '../../deploy/local/stack/stack-file.js';
import { eventually } from '@po/testing/eventually';
import { databaseOf } from './database.js';
import { rowsOf } from '../support/rows.js';
import { type Answer, type Call, exchange, exchangeWithRetries } from './http.js';
import { OperationLog } from './operation-log.js';
import type { Violation } from './oracle/evidence.js';
import { InventorySystem, type Order } from './orders.js';
import { type FaultStack, type FaultStackOptions, startFaultStack } from './stack.js';
import { POLICIES } from './policies.js';
import { PublishedRecords } from './topics.js';
import { MAILED_IMMEDIATELY, USER_NAMES, type UserName } from './users.js';

/** A record that no consumer can handle, and its expected dead letter. `deadLetterTopic` is null if there is none. */
export interface Poison {
  name: string;
  deadLetterTopic: string | null;
  reason: RegExp;
  value: Buffer | null;
  key: string | null;
}

/** The state of a run, which its scenarios share. */
export interface World extends FaultStack {
  seed: number;
  kafka: KafkaPort;
  published: PublishedRecords;
  inventory: InventorySystem;
  log: OperationLog;
  orders: Map<string, Order>;
  /** Actions that users request: all of them, unless services of another version know fewer. */
  actions: readonly Action[];
  poison: Poison[];
  /** Suffix of the consumer groups that the services currently use. */
  groupSuffix: string;
  /** Violations that were already reported. */
  reported: Set<Violation>;
  /** Processes that a scenario ended on purpose. */
  ended: Set<object>;
  /** Milliseconds from the end of the last scenario to recovery. */
  agreedInMs: number;
  /** Calls a gateway, given by index, as a user. */
  call: (gateway: number, user: UserName, call: Call) => Promise<Answer | Error>;
  close: () => Promise<void>;
}

/** `retryingUsers`: users of the typed client, which retries failed requests. All others see every failure. */
export interface WorldOptions extends FaultStackOptions {
  retryingUsers?: readonly UserName[];
}

export async function openWorld(seed: number, { retryingUsers = [], ...options }: WorldOptions = {}): Promise<World> {
  const started = await startFaultStack(options);
  const { kafkaBrokers, gatewayUrls } = started.stack.file();
  const kafka = connectKafka({ KAFKA_BROKERS: kafkaBrokers.split(',') }, 'faults', pino({ level: 'silent' }));
  const log = new OperationLog();
  const inventory = new InventorySystem(kafka, log);
  const call: World['call'] = (gateway, user, request) =>
    (retryingUsers.includes(user) ? exchangeWithRetries : exchange)(
      gatewayUrls[gateway] ?? '',
      started.tokenOf(user),
      request,
    );
  await introduceUsers(started, call);
  await chooseMail(call);
  await choosePolicies(call);
  return {
    ...started,
    seed,
    kafka,
    inventory,
    call,
    groupSuffix: '',
    poison: [],
    agreedInMs: 0,
    published: new PublishedRecords(kafka),
    log,
    orders: new Map(),
    actions: ACTION_NAMES,
    reported: new Set(),
    ended: new Set(),
    close: async () => {
      await inventory.close();
      await started.stop();
    },
  };
}

// The recipients of a notification depend on the user directory, which must not change while the tests run.
async function introduceUsers(started: FaultStack, call: World['call']): Promise<void> {
  for (const gateway of gatewaysOf(started))
    for (const user of USER_NAMES) await call(gateway, user, { method: 'GET', path: '/me' });
  const url = databaseOf(started, 'notifications');
  await eventually('every user is in the directory', async () => {
    const known = await rowsOf(url, 'SELECT 1 FROM users');
    return known.length === USER_NAMES.length;
  });
}

async function chooseMail(call: World['call']): Promise<void> {
  const path = '/me/preferences';
  for (const user of MAILED_IMMEDIATELY) {
    const { body } = await ask({ call }, 0, user, { method: 'GET', path });
    const { mail, ...others } = body as Preferences;
    await ask({ call }, 0, user, { method: 'PUT', path, body: { ...others, mail: { ...mail, TRANSITION: 'now' } } });
  }
}

async function choosePolicies(call: World['call']): Promise<void> {
  for (const [name, body] of Object.entries(POLICIES)) {
    const answer = await call(0, 'admin', { method: 'PUT', path: `/approval-policies/${name}`, body });
    const status = answer instanceof Error ? answer.message : answer.status;
    if (status !== 201) throw new Error(`the policy of ${name} was not stored: ${status}`);
  }
}

/** Indexes of all gateways. */
export const gatewaysOf = ({ stack }: Pick<FaultStack, 'stack'>): number[] => [...stack.file().gatewayUrls.keys()];

/** The answer to a call that must succeed. Throws unless the status is 200. */
export async function ask(world: Pick<World, 'call'>, gateway: number, user: UserName, call: Call): Promise<Answer> {
  const answer = await world.call(gateway, user, call);
  const what = `${call.method} ${call.path} at gateway ${gateway}`;
  if (answer instanceof Error) throw new Error(`${what}: ${answer.message}`);
  if (answer.status !== 200) throw new Error(`${what} is ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer;
}

/** Management URLs of all replicas. */
export const managementUrls = ({ stack }: Pick<FaultStack, 'stack'>): string[] =>
  SERVICES.flatMap((service) => stack.file().managementUrls[service]);
