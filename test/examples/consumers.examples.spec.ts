import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GROUPS, STATUS, deadLetterTopic } from '@po/contracts';
import type { IncomingRecord } from '@po/messaging';
import { type DemoOrder, demoOrders } from '../../deploy/local/demo/orders.js';
import { PLANS } from '../../deploy/local/demo/plans.js';
import { takePorts } from '../../deploy/local/processes/ports.js';
import { REPOSITORY } from '../../deploy/local/repository.js';
import { type World, detailOf, openWorld } from '../e2e/world.js';
import { eventually } from '@po/testing/eventually';
import { readStack, stackFolder } from '../support/stack.js';
import { Consumer } from './consumer.js';
import { inventorySide } from './inventory-side.js';
import { LANGUAGES, type Program, prepared } from './languages.js';
import { type Showing, type Story, tellStory } from './story.js';

type Manifest = { dependencies: Record<string, string> };

const STORY_MS = 600_000;
const all = process.env.EXAMPLES_ALL === '1';
const say = (line: string) => process.stderr.write(`${line}\n`);
const hashOf = (bytes?: Buffer | null) => bytes && createHash('sha256').update(bytes).digest('hex');
const readJson = (path: string): unknown => JSON.parse(readFileSync(join(REPOSITORY, path), 'utf8'));

const programs = new Map<string, Program>();
const missing = new Map<string, string>();
await Promise.all(
  LANGUAGES.map(async (language) => {
    const lacks = await language.lacks();
    if (lacks !== null) return missing.set(language.name, `install ${lacks}`);
    const cache = process.env.EXAMPLES_CACHE;
    if (!cache) throw new Error('run this by "npm run test:examples", which says where programs are kept');
    return prepared(language, cache).then(
      (program) => programs.set(language.name, program),
      ({ message }: Error) => missing.set(language.name, `its dependencies cannot be fetched: ${message}`),
    );
  }),
);
if (!all) for (const [name, reason] of missing) say(`left out: the example in ${name}, ${reason}`);

let world: World;
let folder: string;
let kafkaBrokers: string;
let nobody: string;

beforeAll(async () => {
  world = openWorld();
  ({ kafkaBrokers } = readStack());
  folder = await mkdtemp(join(stackFolder(), 'examples-'));
  const { closed } = await takePorts(folder, ['closed']);
  nobody = `127.0.0.1:${closed}`;
});

const ordersCalled = (prefix: string) =>
  demoOrders(PLANS).map(({ snapshot, steps }) => ({
    steps,
    snapshot: { ...snapshot, poNumber: `${prefix}-${snapshot.poNumber}` },
  }));

describe('the example producer', () => {
  it('sends orders that count once, however often they come, and takes one back', async () => {
    const { send, taken } = inventorySide(world, { folder, kafkaBrokers });
    const orders = ordersCalled('SENT');
    const snapshots = orders.map(({ snapshot }) => snapshot);
    await send([...snapshots, ...snapshots]);
    // When a later record of an order was taken in, those before it were.
    await send(snapshots.map((snapshot) => ({ ...snapshot, sourceRevision: 2 })));
    const versions = (await taken(orders, 2)).map(({ version }) => version);
    expect(versions).toEqual(orders.map(() => 1));
    const { poNumber } = snapshots[0] as { poNumber: string };
    await send([{ poNumber, sourceRevision: 3, reason: 'the season was dropped' }]);
    await eventually(`${poNumber} is cancelled`, async () => {
      const { statusId } = await detailOf(world.as('buyer'), poNumber);
      return statusId === STATUS.CANCELLED;
    });
  });

  it('does not cancel an order whose lines were left out: it is refused', async () => {
    const { send, taken } = inventorySide(world, { folder, kafkaBrokers });
    const [order] = ordersCalled('NO-LINES') as [DemoOrder];
    const { poNumber } = order.snapshot;
    await send([order.snapshot, { ...order.snapshot, sourceRevision: 2, lines: undefined }]);
    const letters = await eventually('it is on the dead-letter topic', async () => {
      const found = await world.raw(deadLetterTopic(GROUPS.inventory), ({ key }) => String(key) === poNumber);
      return found.length > 0 && found;
    });
    expect(letters.map(({ headers }) => headers.type)).toEqual(['purchase-order.upserted']);
    const [{ statusId } = {}] = await taken([order], 1);
    expect(statusId).toBe(STATUS.NEW);
  });

  it('sends orders that a partition takes only in several batches', async () => {
    const { send, taken } = inventorySide(world, { folder, kafkaBrokers });
    const [order] = ordersCalled('LARGE') as [DemoOrder];
    const revisions = Array.from({ length: 10 }, (_, index) => index + 1);
    const unknownField = 'x'.repeat(1024 * 1024);
    await send(revisions.map((sourceRevision) => ({ ...order.snapshot, sourceRevision, unknownField })));
    expect(await taken([order], 10)).toHaveLength(1);
  });

  it('says where no Kafka answers', async () => {
    const { send } = inventorySide(world, { folder, kafkaBrokers: nobody });
    await expect(send([])).rejects.toThrow(`Kafka at ${nobody}: `);
  });
});

describe('the examples in TypeScript', () => {
  it.each([
    ['producers', 'kafkajs'],
    ['consumers', '@platformatic/kafka'],
  ])('of %s need the %s that they are tested with', (folder, client) => {
    const { version } = readJson(`node_modules/${client}/package.json`) as { version: string };
    const { dependencies } = readJson(`libs/contracts/examples/${folder}/typescript/package.json`) as Manifest;
    expect(dependencies).toEqual({ [client]: version });
  });
});

describe('an example consumer', () => {
  const lost: Consumer[] = [];

  // All at once: clients take up to 15 s to give up.
  beforeAll(() => {
    for (const [name, program] of programs) lost.push(new Consumer(name, program, { folder, kafkaBrokers: nobody }));
    for (const consumer of lost) consumer.start();
  });

  it.each([...programs.keys()])('in %s says where no Kafka answers', async (name) => {
    const consumer = lost.find((one) => one.name === name);
    expect(await consumer?.ended()).toBe(1);
    expect(consumer?.said).toContain(`Kafka at ${nobody}`);
  });
});

/** What the program printed is in the message of either failure. */
function expectShown(showing: Showing | undefined, saying: RegExp): void {
  const { said, seen, truth } = showing as Showing;
  expect(said).toMatch(saying);
  expect({ said, seen }).toEqual({ said, seen: truth });
}

describe('the story of the example consumers', () => {
  let story: Story;
  const consumers: Consumer[] = [];

  afterAll(() => Promise.all(consumers.map((consumer) => consumer.end('SIGKILL'))));

  beforeAll(async () => {
    const orders = ordersCalled('TOLD');
    const { send, taken } = inventorySide(world, { folder, kafkaBrokers });
    await send(orders.map(({ snapshot }) => snapshot));
    await taken(orders, 1);
    consumers.push(...[...programs].map(([name, program]) => new Consumer(name, program, { folder, kafkaBrokers })));
    story = await tellStory(world, { consumers, orders, kafkaBrokers });
  }, STORY_MS);

  it.each([...programs.keys()])('%s begins with the states, where no transition is left', (name) => {
    expectShown(story.begun.get(name), /begins with \d+ orders/);
  });

  it.each([...programs.keys()])('%s goes on where it was when it was killed in the middle', (name) => {
    expect(story.undoneAtKill).toBeGreaterThan(0);
    expectShown(story.resumed.get(name), /goes on with \d+ orders/);
  });

  it.each([...programs.keys()])('%s sets aside what cannot be read, and nothing else, as it was', (name) => {
    expect(story.poison.length).toBeGreaterThan(5);
    const place = ({ headers }: IncomingRecord) => [headers['x-dlq-partition'], headers['x-dlq-offset']].join('/');
    const letters = new Map(story.letters.get(name)?.map((letter) => [place(letter), letter]));
    expect(story.letters.get(name)).toHaveLength(story.poison.length);
    for (const { topic, partition, offset, key, value, headers } of story.poison) {
      const letter = letters.get(`${partition}/${offset}`);
      expect(letter?.headers).toMatchObject({ ...headers, 'x-dlq-topic': topic });
      expect(letter?.headers['x-dlq-reason']).toMatch(/./);
      // Compared one by one, megabytes take seconds.
      expect([letter?.key, letter?.value].map(hashOf)).toEqual([key, value].map(hashOf));
    }
  });

  it.each([...programs.keys()])('%s begins anew where transitions are gone that it never saw', (name) => {
    expectShown(story.begunAnew.get(name), /begins with \d+ orders/);
  });
});

if (all && missing.size > 0) {
  it.each([...missing])('the example in %s can be run', (_name, reason) => {
    expect(reason).toBeUndefined();
  });
}
