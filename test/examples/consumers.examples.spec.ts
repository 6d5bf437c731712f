import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GROUPS, STATUS, deadLetterTopic } from '@po/contracts';
import type { IncomingRecord } from '@po/messaging';
import { type DemoOrder, demoOrders } from '../../deploy/local/demo/orders.js';
import { PLANS } from '../../deploy/local/demo/plans.js';
import { reservePorts } from '../../deploy/local/processes/ports.js';
import { REPOSITORY } from '../../deploy/local/repository.js';
import { type World, detailOf, openWorld } from '../e2e/world.js';
import { eventually } from '@po/testing/eventually';
import { readStack, stackFolder } from '../support/stack.js';
import { Consumer } from './consumer.js';
import { inventorySystem } from './inventory-system.js';
import { LANGUAGES, type Program, prepareProgram } from './languages.js';
import { type Snapshot, type ScenarioResult, runScenario } from './scenario.js';

type Manifest = { dependencies: Record<string, string> };

const STORY_MS = 600_000;
const all = process.env.EXAMPLES_ALL === '1';
const print = (line: string) => process.stderr.write(`${line}\n`);
const hashOf = (bytes?: Buffer | null) => bytes && createHash('sha256').update(bytes).digest('hex');
const readJson = (path: string): unknown => JSON.parse(readFileSync(join(REPOSITORY, path), 'utf8'));

const programs = new Map<string, Program>();
const missing = new Map<string, string>();
await Promise.all(
  LANGUAGES.map(async (language) => {
    const lacks = await language.lacks();
    if (lacks !== null) return missing.set(language.name, `install ${lacks}`);
    const cache = process.env.EXAMPLES_CACHE;
    if (!cache) throw new Error('EXAMPLES_CACHE is not set: run these tests with "npm run test:examples"');
    return prepareProgram(language, cache).then(
      (program) => programs.set(language.name, program),
      ({ message }: Error) => missing.set(language.name, `its dependencies cannot be fetched: ${message}`),
    );
  }),
);
if (!all) for (const [name, reason] of missing) print(`skipped the example in ${name}: ${reason}`);

let world: World;
let folder: string;
let kafkaBrokers: string;
let closedBroker: string;

beforeAll(async () => {
  world = openWorld();
  ({ kafkaBrokers } = readStack());
  folder = await mkdtemp(join(stackFolder(), 'examples-'));
  const { closed } = await reservePorts(folder, ['closed']);
  closedBroker = `127.0.0.1:${closed}`;
});

const ordersCalled = (prefix: string) =>
  demoOrders(PLANS).map(({ snapshot, steps }) => ({
    steps,
    snapshot: { ...snapshot, poNumber: `${prefix}-${snapshot.poNumber}` },
  }));

describe('the example producer', () => {
  it('sends duplicate orders that are applied once, and cancels an order', async () => {
    const { send, applied } = inventorySystem(world, { folder, kafkaBrokers });
    const orders = ordersCalled('SENT');
    const snapshots = orders.map(({ snapshot }) => snapshot);
    await send([...snapshots, ...snapshots]);
    // The records of an order are applied in sequence, so revision 2 shows that all earlier records were processed.
    await send(snapshots.map((snapshot) => ({ ...snapshot, sourceRevision: 2 })));
    const versions = (await applied(orders, 2)).map(({ version }) => version);
    expect(versions).toEqual(orders.map(() => 1));
    const { poNumber } = snapshots[0] as { poNumber: string };
    await send([{ poNumber, sourceRevision: 3, reason: 'the season was dropped' }]);
    await eventually(`${poNumber} is cancelled`, async () => {
      const { statusId } = await detailOf(world.as('buyer'), poNumber);
      return statusId === STATUS.CANCELLED;
    });
  });

  it('does not cancel an order that lacks some or most fields: the records are dead-lettered', async () => {
    const { send, applied } = inventorySystem(world, { folder, kafkaBrokers });
    const [order] = ordersCalled('INCOMPLETE') as [DemoOrder];
    const { poNumber, xfd } = order.snapshot;
    const onlyChanges = { poNumber, sourceRevision: 3, xfd };
    await send([order.snapshot, { ...order.snapshot, sourceRevision: 2, lines: undefined }, onlyChanges]);
    const letters = await eventually('both records are on the dead-letter topic', async () => {
      const found = await world.raw(deadLetterTopic(GROUPS.inventory), ({ key }) => String(key) === poNumber);
      return found.length === 2 && found;
    });
    expect(new Set(letters.map(({ headers }) => headers.type))).toEqual(new Set(['purchase-order.upserted']));
    const [{ statusId } = {}] = await applied([order], 1);
    expect(statusId).toBe(STATUS.NEW);
  });

  it('sends records that need several batches for one partition', async () => {
    const { send, applied } = inventorySystem(world, { folder, kafkaBrokers });
    const [order] = ordersCalled('LARGE') as [DemoOrder];
    const revisions = Array.from({ length: 10 }, (_, index) => index + 1);
    const unknownField = 'x'.repeat(1024 * 1024);
    await send(revisions.map((sourceRevision) => ({ ...order.snapshot, sourceRevision, unknownField })));
    expect(await applied([order], 10)).toHaveLength(1);
  });

  it('fails with a message that names the broker if Kafka is unreachable', async () => {
    const { send } = inventorySystem(world, { folder, kafkaBrokers: closedBroker });
    await expect(send([])).rejects.toThrow(`Kafka at ${closedBroker}: `);
  });
});

describe('the TypeScript examples', () => {
  it.each([
    ['producers', 'kafkajs'],
    ['consumers', '@platformatic/kafka'],
  ])('for %s depend on the tested version of %s', (folder, client) => {
    const { version } = readJson(`node_modules/${client}/package.json`) as { version: string };
    const { dependencies } = readJson(`libs/contracts/examples/${folder}/typescript/package.json`) as Manifest;
    expect(dependencies).toEqual({ [client]: version });
  });
});

describe('an example consumer', () => {
  const unconnected: Consumer[] = [];

  // Starts all at the same time, because clients take up to 15 s to give up.
  beforeAll(() => {
    for (const [name, program] of programs)
      unconnected.push(new Consumer(name, program, { folder, kafkaBrokers: closedBroker }));
    for (const consumer of unconnected) consumer.start();
  });

  it.each([...programs.keys()])(
    'in %s exits with a message that names the broker if Kafka is unreachable',
    async (name) => {
      const consumer = unconnected.find((one) => one.name === name);
      expect(await consumer?.ended()).toBe(1);
      expect(consumer?.output).toContain(`Kafka at ${closedBroker}`);
    },
  );
});

/** Both failure messages include the output of the program. */
function expectSnapshot(snapshot: Snapshot | undefined, message: RegExp): void {
  const { output, ledger, expected } = snapshot as Snapshot;
  expect(output).toMatch(message);
  expect({ output, ledger }).toEqual({ output, ledger: expected });
}

describe('the example consumer', () => {
  let story: ScenarioResult;
  const consumers: Consumer[] = [];

  afterAll(() => Promise.all(consumers.map((consumer) => consumer.end('SIGKILL'))));

  beforeAll(async () => {
    const orders = ordersCalled('TOLD');
    const { send, applied } = inventorySystem(world, { folder, kafkaBrokers });
    await send(orders.map(({ snapshot }) => snapshot));
    await applied(orders, 1);
    consumers.push(...[...programs].map(([name, program]) => new Consumer(name, program, { folder, kafkaBrokers })));
    story = await runScenario(world, { consumers, orders, kafkaBrokers });
  }, STORY_MS);

  it.each([...programs.keys()])('in %s starts from the states if all transitions were deleted', (name) => {
    expectSnapshot(story.started.get(name), /begins with \d+ orders/);
  });

  it.each([...programs.keys()])('in %s resumes at its last position after a kill', (name) => {
    expect(story.stepsLeftAtKill).toBeGreaterThan(0);
    expectSnapshot(story.resumed.get(name), /goes on with \d+ orders/);
  });

  it.each([...programs.keys()])('in %s dead-letters only unreadable records, unchanged', (name) => {
    expect(story.poison.length).toBeGreaterThan(5);
    const place = ({ headers }: IncomingRecord) => [headers['x-dlq-partition'], headers['x-dlq-offset']].join('/');
    const letters = new Map(story.letters.get(name)?.map((letter) => [place(letter), letter]));
    expect(story.letters.get(name)).toHaveLength(story.poison.length);
    for (const { topic, partition, offset, key, value, headers } of story.poison) {
      const letter = letters.get(`${partition}/${offset}`);
      expect(letter?.headers).toMatchObject({ ...headers, 'x-dlq-topic': topic });
      expect(letter?.headers['x-dlq-reason']).toMatch(/./);
      // Compares hashes, because comparing megabytes byte by byte takes seconds.
      expect([letter?.key, letter?.value].map(hashOf)).toEqual([key, value].map(hashOf));
    }
  });

  it.each([...programs.keys()])(
    'in %s starts over from the states if transitions were deleted before it read them',
    (name) => {
      expectSnapshot(story.startedOver.get(name), /begins with \d+ orders/);
    },
  );

  it.each([...programs.keys()])('in %s starts over from the states if its position is beyond the end', (name) => {
    expectSnapshot(story.beyondEnd.get(name), /begins with \d+ orders/);
  });
});

if (all && missing.size > 0) {
  it.each([...missing])('the example in %s can run on this machine', (_name, reason) => {
    expect(reason).toBeUndefined();
  });
}
