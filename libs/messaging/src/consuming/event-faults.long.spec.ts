import { afterEach, expect, it, jest } from '@jest/globals';
import { EVENT_TYPES, GROUPS, HEADERS, TOPICS, TOPIC_MANIFEST, UserSeen, deadLetterTopic } from '@po/contracts';
import fc from 'fast-check';
import { pino } from 'pino';
import { actors } from '@po/testing/actors';
import { eventually } from '@po/testing/eventually';
import { ConsumerLoop } from './consumer-loop.js';
import { ContentError } from './content-error.js';
import { EventConsumer } from './event-consumer.js';
import { FaultyProcess } from '../fixtures/faulty-process.js';
import { seededRandom } from '@po/testing/seeded-random';
import { advanceClock, advanceUntilSettled, useVirtualClock, flushEventLoop } from '../fixtures/virtual-time.js';
import { InMemoryKafka } from '../in-memory/in-memory-kafka.js';
import type { IncomingRecord } from '../kafka-port.js';
import { Publisher } from '../publishing/publisher.js';

const GROUP = GROUPS.notificationsEvents;
const KEYS = ['a', 'b', 'c', 'd'];
const logger = pino({ level: 'silent' });

/** Kinds of records, with the expected reason of their dead letter; null if the record is handled. */
const KINDS = {
  good: null,
  passing: null,
  truncated: /^the value is not JSON$/,
  binary: /^the value is not UTF-8$/,
  empty: /^the value is null$/,
  misfit: /^the value does not fit user\.seen\.v1: \/email/,
  untyped: /^header ce_type is missing/,
  misplaced: /^key . is not the user elsewhere$/,
  refused: /^the vendor code changed$/,
  unstorable: /^value too long$/,
} as const;
type Kind = keyof typeof KINDS;
type Sent = { key: string; kind: Kind; number: number };

function valueOf({ key, kind, number }: Sent): Buffer | null {
  const user = { ...actors.acme, sub: kind === 'misplaced' ? 'elsewhere' : key, name: `${number}` };
  const seen = JSON.stringify({ ...user, seenAt: '2026-11-21T08:00:00.000Z' });
  if (kind === 'empty') return null;
  if (kind === 'truncated') return Buffer.from(seen.slice(0, -1));
  if (kind === 'binary') return Buffer.from([0xff, number]);
  return Buffer.from(kind === 'misfit' ? JSON.stringify({ sub: key, name: `${number}` }) : seen);
}

/** One event consumer after another, over a Kafka that loses and repeats records, with a store that fails at times. */
class World {
  readonly started: string[] = [];
  readonly handled = new Set<string>();
  readonly sent: Sent[] = [];
  readonly kafka: InMemoryKafka;
  private readonly failures = new Map<string, number>();
  private calm = true;
  private current: { process: FaultyProcess; loop: ConsumerLoop; letters: Publisher } | null = null;

  constructor(private readonly random: () => number) {
    const faults = { rejected: 0.2, storedButRejected: 0.2, storedTwice: 0.1 };
    this.kafka = new InMemoryKafka(TOPIC_MANIFEST, { random: () => (this.calm ? 1 : random()), ...faults });
  }

  start(): void {
    const process = new FaultyProcess(this.kafka, {
      random: this.random,
      delayed: 0.3,
      repeated: 0.2,
      commitLost: 0.2,
      commitUnanswered: 0.2,
    });
    const letters = new Publisher(process, { acks: 'all', logger });
    const events = new EventConsumer({
      group: GROUP,
      logger,
      deadLetters: letters,
      typeHeader: HEADERS.cloudEventType,
      schemas: { [EVENT_TYPES.userSeen]: UserSeen },
      checkKey: (user: UserSeen, key) => (user.sub === key ? null : `key ${key} is not the user ${user.sub}`),
      handlerOf: () => (user) => this.handle(user as UserSeen, process),
    });
    const loop = new ConsumerLoop({
      kafka: process,
      logger,
      concurrency: 3,
      consumer: { group: GROUP, topics: [TOPICS.users], from: 'earliest' },
      queueKeyOf: ({ key }) => String(key),
      handle: (record, stopped) => events.handle(record, stopped),
    });
    loop.start();
    this.current = { process, loop, letters };
  }

  async stop(kill: boolean): Promise<void> {
    const { process, loop, letters } = this.current as NonNullable<typeof this.current>;
    if (kill) await process.die();
    await advanceUntilSettled(Promise.all([loop.drain(0), letters.close()]));
  }

  async send(key: string, kind: Kind): Promise<void> {
    const one = { key, kind, number: this.sent.length };
    this.sent.push(one);
    if (kind === 'passing') this.failures.set(`${key}/${one.number}`, 1 + (one.number % 2));
    const headers: Record<string, string> =
      kind === 'untyped' ? {} : { [HEADERS.cloudEventType]: EVENT_TYPES.userSeen };
    this.calm = true;
    await this.kafka.producer().send([{ topic: TOPICS.users, key, value: valueOf(one), headers }]);
    this.calm = false;
  }

  async settled(): Promise<boolean> {
    const admin = await this.kafka.admin();
    const committed = await admin.committed(GROUP, TOPICS.users);
    const ends = await admin.offsets(TOPICS.users);
    return ends.every(({ partition, high }) => high === '0' || committed[partition]?.offset === high);
  }

  /** Dead letters by partition and offset of the original record. */
  letters(): Map<string, IncomingRecord[]> {
    return Map.groupBy(
      this.kafka.records(deadLetterTopic(GROUP)),
      ({ headers }) => `${headers[HEADERS.deadLetterPartition]}/${headers[HEADERS.deadLetterOffset]}`,
    );
  }

  private async handle({ sub, name }: UserSeen, process: FaultyProcess): Promise<void> {
    const id = `${sub}/${name}`;
    this.started.push(id);
    await flushEventLoop(Math.floor(this.random() * 4));
    const left = this.failures.get(id) ?? 0;
    this.failures.set(id, left - 1);
    if (process.dead || left > 0) throw new Error('the store is away');
    const { kind } = this.sent[Number(name)] as Sent;
    if (kind === 'refused') throw new ContentError('the vendor code changed');
    if (kind === 'unstorable') throw Object.assign(new Error('value too long'), { code: '22001' });
    this.handled.add(id);
  }
}

const step = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('send' as const),
      key: fc.constantFrom(...KEYS),
      kind: fc.oneof(
        { weight: 3, arbitrary: fc.constant<Kind>('good') },
        { weight: 2, arbitrary: fc.constantFrom(...(Object.keys(KINDS) as Kind[])) },
      ),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('turns', 'pass', 'rebalance', 'restart', 'kill') }) },
);

afterEach(() => {
  jest.useRealTimers();
});

it('an event consumer dead-letters only records that cannot be handled, with reason and bytes, and handles the rest in order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer(), fc.array(step, { minLength: 5, maxLength: 40 }), async (seed, steps) => {
      const world = new World(seededRandom(seed));
      useVirtualClock();
      world.start();
      try {
        for (const next of steps) {
          if (next.do === 'send') await world.send((next as { key: string }).key, (next as { kind: Kind }).kind);
          else if (next.do === 'turns') await flushEventLoop(5);
          else if (next.do === 'pass') await advanceClock(250);
          else if (next.do === 'rebalance') world.kafka.rebalance(GROUP);
          else {
            await world.stop(next.do === 'kill');
            world.start();
          }
        }
        // Back-off uses the real clock.
        await eventually('everything is committed', () => advanceClock(50).then(() => world.settled()));
      } finally {
        await world.stop(false);
        jest.useRealTimers();
      }
      const records = world.kafka.records(TOPICS.users);
      const letters = world.letters();
      for (const [index, sent] of world.sent.entries()) {
        const reason = KINDS[sent.kind];
        const id = `${sent.key}/${index}`;
        expect(world.handled.has(id)).toBe(reason === null);
        // Records of one key keep their order on its partition, and only this spec writes the topic.
        const before = world.sent.slice(0, index).filter(({ key }) => key === sent.key).length;
        const record = records.filter(({ key }) => String(key) === sent.key)[before] as IncomingRecord;
        const about = letters.get(`${record.partition}/${record.offset}`) ?? [];
        expect(about.length > 0).toBe(reason !== null);
        for (const letter of about) {
          expect(letter.headers[HEADERS.deadLetterReason]).toMatch(reason as RegExp);
          expect(letter.value).toEqual(record.value);
          expect(letter.key).toEqual(record.key);
          expect(letter.rawHeaders).toMatchObject(record.rawHeaders);
        }
      }
      for (const key of KEYS) {
        const order = [...new Set(world.started.filter((id) => id.startsWith(key)))].map((id) => Number(id.slice(2)));
        expect(order).toEqual(order.toSorted((a, b) => a - b));
      }
    }),
    { numRuns: 18 },
  );
});
