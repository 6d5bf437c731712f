import { isDeepStrictEqual } from 'node:util';
import { TOPICS } from '@po/contracts';
import type { IncomingRecord } from '@po/messaging';
import type { DemoOrder } from '../../deploy/local/demo/orders.js';
import type { World } from '../e2e/world.js';
import { eventually } from '@po/testing/eventually';
import { type ExpectedLedger, type Step, expectedLedger, userSteps } from './user-steps.js';
import type { Consumer } from './consumer.js';
import { emptySegments } from './emptied-segments.js';
import { deleteRecords, resend, sendNewerMessage, sendUnreadable } from './records.js';

const TIMEOUT_MS = 40_000;

/** Output and ledger of one consumer at a point of the scenario, and the ledger expected there. */
export interface Snapshot {
  output: string;
  ledger: ExpectedLedger;
  expected: ExpectedLedger;
}

/** Snapshots by consumer name. */
type Snapshots = Map<string, Snapshot>;

export interface ScenarioResult {
  /** After the first start, with states but no transitions to read. */
  started: Snapshots;
  /** Number of remaining steps when all consumers were killed. */
  stepsLeftAtKill: number;
  /** After the restart. */
  resumed: Snapshots;
  /** Unreadable records as stored on the topic, and dead letters by consumer name. */
  poison: IncomingRecord[];
  letters: Map<string, IncomingRecord[]>;
  /** After another restart, before which transitions were deleted that no consumer had read. */
  startedOver: Snapshots;
  /** After another restart, before which the stored positions were moved beyond the end of the topic. */
  beyondEnd: Snapshots;
}

interface ScenarioOptions {
  consumers: readonly Consumer[];
  /** 24 new orders. */
  orders: readonly DemoOrder[];
  kafkaBrokers: string;
}

/** Runs one scenario for all consumers at the same time. */
export async function runScenario(
  world: World,
  { consumers, orders, kafkaBrokers }: ScenarioOptions,
): Promise<ScenarioResult> {
  const { agreed, produced, recalled, cancelled } = userSteps(world);
  const startAll = () => consumers.forEach((consumer) => consumer.start());
  const endAll = (signal: NodeJS.Signals) => Promise.all(consumers.map((consumer) => consumer.end(signal)));
  const [early, late] = [orders.slice(0, 12), orders.slice(12)];

  await Promise.all([
    runInOrder(early.flatMap((order) => agreed(order, 1))),
    emptySegments(world, kafkaBrokers, orders),
  ]);
  await deleteRecords(kafkaBrokers, TOPICS.transitions);
  startAll();
  const started = await snapshots(world, consumers);

  const steps = [
    ...early.map((order, index) => (index % 2 === 0 ? produced(order) : recalled(order))),
    ...late.flatMap((order) => agreed(order, 0)),
  ];
  await runInOrder(steps.splice(0, steps.length / 2));
  const before = await sendUnreadable(world);
  await Promise.all(consumers.map((consumer) => readPast(consumer, before)));
  const remaining = steps.length;
  const rest = runInOrder(steps);
  await eventually('some of the remaining steps are done', () => steps.length < remaining - 1);
  const stepsLeftAtKill = steps.length;
  await endAll('SIGKILL');
  await rest;
  await runInOrder([...early.slice(0, 2).map(cancelled), ...agreed(early[3] as DemoOrder, 2)]);
  startAll();
  await resend(world, new Set(early.map(({ snapshot }) => snapshot.poNumber)));
  const after = await sendUnreadable(world);
  const newer = await sendNewerMessage(world);
  await runInOrder([produced(late[0] as DemoOrder)]);
  const resumed = await snapshots(world, consumers, newer);
  await Promise.all(consumers.map((consumer) => readPast(consumer, after)));
  const letters = new Map<string, IncomingRecord[]>();
  for (const { name, group } of consumers) letters.set(name, await world.raw(`${group}.dlq.v1`, () => true));

  await endAll('SIGTERM');
  await runInOrder(late.slice(1, 4).map(produced));
  await deleteRecords(kafkaBrokers, TOPICS.transitions);
  startAll();
  const startedOver = await snapshots(world, consumers);

  await endAll('SIGTERM');
  consumers.forEach((consumer) => consumer.moveBeyondEnd());
  startAll();
  const beyondEnd = await snapshots(world, consumers);
  return { started, stepsLeftAtKill, resumed, poison: [...before, ...after], letters, startedOver, beyondEnd };
}

/** Removes each step from the list when starting it. */
async function runInOrder(steps: Step[]): Promise<void> {
  for (let step = steps.shift(); step; step = steps.shift()) await step();
}

const withoutVersions = (consumer: Consumer): ExpectedLedger =>
  Object.fromEntries(
    Object.entries(consumer.orders()).map(([poRef, { statusId, currency, agreed }]) => [
      poRef,
      { statusId, currency, agreed },
    ]),
  );

/** Resolves once the stored positions are past these records, or at a timeout: a failed consumer must not fail the tests of the others. */
const readPast = (consumer: Consumer, records: readonly IncomingRecord[]) =>
  poll(consumer, 'the consumer is past the unreadable records', () =>
    records.every(({ partition, offset }) => consumer.position(partition) > Number(offset)),
  );

/** Output and ledger of each consumer once the ledger matches the API, or at a timeout. */
async function snapshots(
  world: World,
  consumers: readonly Consumer[],
  additional: ExpectedLedger = {},
): Promise<Snapshots> {
  const expected = { ...(await expectedLedger(world)), ...additional };
  const taken = consumers.map(async (consumer): Promise<[string, Snapshot]> => {
    let ledger: ExpectedLedger = {};
    await poll(consumer, 'the ledger is as expected', () => {
      ledger = withoutVersions(consumer);
      return consumer.output.includes(' orders') && isDeepStrictEqual(ledger, expected);
    });
    return [consumer.name, { output: consumer.output, ledger, expected }];
  });
  return new Map(await Promise.all(taken));
}

/** Polls until a timeout. Restarts a consumer that exited, as a supervisor does: a broker on a busy machine may answer too late. */
async function poll(consumer: Consumer, label: string, probe: () => boolean): Promise<void> {
  const attempt = () => {
    if (!consumer.isRunning) consumer.start();
    return probe();
  };
  await eventually(label, attempt, { timeoutMs: TIMEOUT_MS }).catch(() => undefined);
}
