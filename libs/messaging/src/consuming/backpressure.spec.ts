import { afterEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { pino } from 'pino';
import { eventually } from '@po/testing/eventually';
import { overridePort } from '@po/testing/override-port';
import { ConsumerLoop } from './consumer-loop.js';
import { seededRandom } from '@po/testing/seeded-random';
import { flushEventLoop } from '../fixtures/virtual-time.js';
import { InMemoryKafka } from '../in-memory/in-memory-kafka.js';
import type { IncomingRecord } from '../kafka-port.js';

const TOPIC = 'things.v1';
const GROUP = 'things';
const LIMIT = 1_024;
const LIMIT_BEHIND = 10_000;
const MIB = 1024 * 1024;
const LIMIT_BYTES = 16 * MIB;

const loops: ConsumerLoop[] = [];
afterEach(() => Promise.all(loops.splice(0).map((loop) => loop.drain(0))));

/** One consumer of a topic with two partitions. Tracks handled records, and the open records at each pause and resumption. */
function open(
  handle: (record: IncomingRecord) => Promise<void>,
  beforeCommit: () => Promise<void> = () => Promise.resolve(),
) {
  const kafka = new InMemoryKafka([{ topic: TOPIC, partitions: 2, retention: 1, maxMessageBytes: 1_000 * MIB }]);
  const flow: { paused: boolean; open: number }[] = [];
  const handled = new Set<string>();
  let open = 0;
  const watched = overridePort(kafka, {
    consumer: (options) => {
      const inner = kafka.consumer(options);
      const start: typeof inner.start = (handlers) =>
        inner.start({
          ...handlers,
          onRecords: (records, read) => {
            open += records.length;
            handlers.onRecords(records, read);
          },
        });
      const pause: typeof inner.pause = (topic, partitions) => {
        flow.push({ paused: true, open });
        inner.pause(topic, partitions);
      };
      const resume: typeof inner.resume = (topic, partitions) => {
        flow.push({ paused: false, open });
        inner.resume(topic, partitions);
      };
      const commit: typeof inner.commit = async (offsets) => {
        await beforeCommit();
        await inner.commit(offsets);
      };
      return { ...inner, start, pause, resume, commit };
    },
  });
  const loop = new ConsumerLoop({
    kafka: watched,
    logger: pino({ level: 'silent' }),
    concurrency: 8,
    consumer: { group: GROUP, topics: [TOPIC], from: 'earliest' },
    queueKeyOf: ({ key }) => String(key),
    handle: async (record) => {
      await handle(record);
      open -= 1;
      handled.add(`${record.partition}/${record.offset}`);
      return true;
    },
  });
  loop.start();
  loops.push(loop);
  const produce = (partition: number, count: number, keyOf: (index: number) => string, value = '') =>
    kafka.producer().send(
      Array.from({ length: count }, (_, index) => ({
        topic: TOPIC,
        partition,
        key: keyOf(index),
        value,
        headers: {},
      })),
    );
  return { kafka, loop, flow, handled, produce };
}

describe('a consumer that receives more than it can handle', () => {
  it('pauses above its limit and always resumes at half of it or less', async () => {
    let pauses = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.integer(),
        fc.array(fc.integer({ min: 1, max: 1_500 }), { minLength: 1, maxLength: 3 }),
        async (seed, bursts) => {
          const random = seededRandom(seed);
          const { loop, flow, handled, produce } = open(() => flushEventLoop(1 + Math.floor(random() * 2)));
          for (const [index, count] of bursts.entries()) {
            await produce(index % 2, count, () => `k${Math.floor(random() * 20)}`);
            await flushEventLoop(Math.floor(random() * 40));
          }
          const total = bursts.reduce((sum, count) => sum + count, 0);
          await eventually('all are handled', () => handled.size === total);
          await flushEventLoop();
          // The first entry is the resumption at the new assignment.
          const [first, ...switches] = flow;
          await loop.drain(1_000);
          expect(first).toEqual({ paused: false, open: 0 });
          for (const [index, { paused, open: left }] of switches.entries()) {
            expect(paused).toBe(index % 2 === 0);
            expect(paused ? left > LIMIT : left <= LIMIT / 2).toBe(true);
          }
          expect(switches.length % 2).toBe(0);
          pauses += switches.length / 2;
        },
      ),
      // The example pauses certainly.
      { numRuns: 15, examples: [[1, [1_500]]] },
    );
    expect(pauses).toBeGreaterThan(0);
  });

  it('resumes when the records it waited for are dropped with a revoked partition', async () => {
    const stuck = Promise.withResolvers<void>();
    const { kafka, loop, handled, produce } = open(({ partition }) =>
      partition === 1 ? stuck.promise : Promise.resolve(),
    );
    await produce(1, LIMIT + 100, () => 'stuck');
    await eventually('it has joined', () => loop.ready === true);
    await flushEventLoop(60);
    const other = kafka.consumer({ group: GROUP, topics: [TOPIC], from: 'earliest' });
    await other.start({ onRecords: () => undefined });
    await produce(0, 10, String);
    await eventually('its own records are handled', () => handled.size === 10);
    stuck.resolve();
    await flushEventLoop();
    await produce(0, 10, String);
    await eventually(
      'later records are handled too',
      () => [...handled].filter((id) => id.startsWith('0/')).length === 20,
    );
    await other.stop();
  });

  it('accepts a limited number of records after an unfinished one, and continues with other partitions', async () => {
    const stuck = Promise.withResolvers<void>();
    const { loop, handled, produce } = open(({ key }) => (String(key) === 'stuck' ? stuck.promise : Promise.resolve()));
    await eventually('it has joined', () => loop.ready === true);
    const of = (partition: number) => [...handled].filter((id) => id.startsWith(`${partition}/`)).length;
    await produce(0, 1, () => 'stuck');
    await produce(0, 2 * LIMIT_BEHIND, (index) => `k${index % 20}`);
    await produce(1, 2 * LIMIT_BEHIND, (index) => `k${index % 20}`);
    await eventually('all records of the other partition are handled', () => of(1) === 2 * LIMIT_BEHIND);
    await flushEventLoop(100);
    expect(of(0)).toBeGreaterThanOrEqual(LIMIT_BEHIND);
    expect(of(0)).toBeLessThan(LIMIT_BEHIND + LIMIT);
    stuck.resolve();
    await eventually('the rest is handled', () => of(0) === 2 * LIMIT_BEHIND + 1);
  });

  it('pauses at its byte limit, even with few records', async () => {
    const stuck = Promise.withResolvers<void>();
    const { flow, handled, produce, loop } = open(() => stuck.promise);
    await eventually('it has joined', () => loop.ready === true);
    // Each record is 1 MiB plus its key. Sent one by one, because the limit does not apply within one delivery.
    for (let count = 0; count < 40; count += 1) {
      await produce(0, 1, () => `k${count}`, 'x'.repeat(MIB));
      await flushEventLoop(4);
    }
    expect(flow.at(-1)).toEqual({ paused: true, open: LIMIT_BYTES / MIB });
    stuck.resolve();
    await eventually('all are handled', () => handled.size === 40);
    expect(flow.at(-1)?.paused).toBe(false);
  });

  it('resumes after records that each exceed half of the byte limit', async () => {
    const stuck = Promise.withResolvers<void>();
    const { flow, handled, produce, loop } = open(() => stuck.promise);
    await eventually('it has joined', () => loop.ready === true);
    await produce(0, 2, (index) => `k${index}`, 'x'.repeat(9 * MIB));
    await eventually('it waits', () => flow.at(-1)?.paused === true);
    stuck.resolve();
    await eventually('both are handled', () => handled.size === 2);
    await produce(0, 1, () => 'later');
    await eventually('a later record is handled too', () => handled.size === 3);
  });
});
