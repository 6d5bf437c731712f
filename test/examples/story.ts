import { isDeepStrictEqual } from 'node:util';
import { TOPICS } from '@po/contracts';
import type { IncomingRecord } from '@po/messaging';
import type { DemoOrder } from '../../deploy/local/demo/orders.js';
import type { World } from '../e2e/world.js';
import { eventually } from '@po/testing/eventually';
import { type Step, type Truth, people, truthOf } from './acts.js';
import type { Consumer } from './consumer.js';
import { emptySegments } from './emptied-segments.js';
import { forgetAll, newerMessage, sendAgain, unreadable } from './records.js';

const PATIENCE_MS = 40_000;

/** What one consumer showed at a point of the story, and what it should have. */
export interface Showing {
  said: string;
  seen: Truth;
  truth: Truth;
}

/** By the consumer's name. */
type Showings = Map<string, Showing>;

export interface Story {
  /** After the first start, when there was nothing but states to begin with. */
  begun: Showings;
  /** How many steps were still to be done when all were killed. */
  undoneAtKill: number;
  /** After the restart. */
  resumed: Showings;
  /** What nobody can read, as it stands on the topic, and each consumer's dead letters. */
  poison: IncomingRecord[];
  letters: Map<string, IncomingRecord[]>;
  /** After another restart, before which transitions were gone that nobody had seen. */
  begunAnew: Showings;
}

interface Cast {
  consumers: readonly Consumer[];
  /** 24 new orders. */
  orders: readonly DemoOrder[];
  kafkaBrokers: string;
}

/** One story for all consumers at once. */
export async function tellStory(world: World, { consumers, orders, kafkaBrokers }: Cast): Promise<Story> {
  const { agreed, produced, recalled, cancelled } = people(world);
  const startAll = () => consumers.forEach((consumer) => consumer.start());
  const endAll = (signal: NodeJS.Signals) => Promise.all(consumers.map((consumer) => consumer.end(signal)));
  const [early, late] = [orders.slice(0, 12), orders.slice(12)];

  await Promise.all([inTurn(early.flatMap((order) => agreed(order, 1))), emptySegments(world, kafkaBrokers, orders)]);
  await forgetAll(kafkaBrokers, TOPICS.transitions);
  startAll();
  const begun = await shown(world, consumers);

  const steps = [
    ...early.map((order, index) => (index % 2 === 0 ? produced(order) : recalled(order))),
    ...late.flatMap((order) => agreed(order, 0)),
  ];
  await inTurn(steps.splice(0, steps.length / 2));
  const before = await unreadable(world);
  await Promise.all(consumers.map((consumer) => passed(consumer, before)));
  const under = steps.length;
  const rest = inTurn(steps);
  await eventually('steps are done again', () => steps.length < under - 1);
  const undoneAtKill = steps.length;
  await endAll('SIGKILL');
  await rest;
  await inTurn([...early.slice(0, 2).map(cancelled), ...agreed(early[3] as DemoOrder, 2)]);
  startAll();
  await sendAgain(world, new Set(early.map(({ snapshot }) => snapshot.poNumber)));
  const after = await unreadable(world);
  const newer = await newerMessage(world);
  await inTurn([produced(late[0] as DemoOrder)]);
  const resumed = await shown(world, consumers, newer);
  await Promise.all(consumers.map((consumer) => passed(consumer, after)));
  const letters = new Map<string, IncomingRecord[]>();
  for (const { name, group } of consumers) letters.set(name, await world.raw(`${group}.dlq.v1`, () => true));

  await endAll('SIGTERM');
  await inTurn(late.slice(1, 4).map(produced));
  await forgetAll(kafkaBrokers, TOPICS.transitions);
  startAll();
  return {
    begun,
    undoneAtKill,
    resumed,
    poison: [...before, ...after],
    letters,
    begunAnew: await shown(world, consumers),
  };
}

/** Takes each from the list as it begins it. */
async function inTurn(steps: Step[]): Promise<void> {
  for (let step = steps.shift(); step; step = steps.shift()) await step();
}

const withoutVersions = (consumer: Consumer): Truth =>
  Object.fromEntries(
    Object.entries(consumer.orders()).map(([poRef, { statusId, currency, agreed }]) => [
      poRef,
      { statusId, currency, agreed },
    ]),
  );

/** Resolves when it has stored that it is done with these records, or will not. What it did then shows: it is not the others' fault. */
const passed = (consumer: Consumer, records: readonly IncomingRecord[]) =>
  patiently(consumer, 'what it cannot read is behind it', () =>
    records.every(({ partition, offset }) => consumer.position(partition) > Number(offset)),
  );

/** What each ledger says once it says what the API says, or else in the end. */
async function shown(world: World, consumers: readonly Consumer[], besides: Truth = {}): Promise<Showings> {
  const truth = { ...(await truthOf(world)), ...besides };
  const showings = consumers.map(async (consumer): Promise<[string, Showing]> => {
    let seen: Truth = {};
    await patiently(consumer, 'the ledger is right', () => {
      seen = withoutVersions(consumer);
      return consumer.said.includes(' orders') && isDeepStrictEqual(seen, truth);
    });
    return [consumer.name, { said: consumer.said, seen, truth }];
  });
  return new Map(await Promise.all(showings));
}

/** Starts it again where it ended by itself, as a supervisor does: a broker on a busy machine may have answered too late. */
async function patiently(consumer: Consumer, label: string, probe: () => boolean): Promise<void> {
  const attempt = () => {
    if (!consumer.isRunning) consumer.start();
    return probe();
  };
  await eventually(label, attempt, { timeoutMs: PATIENCE_MS }).catch(() => undefined);
}
