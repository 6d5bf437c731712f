import { afterEach, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { pino } from 'pino';
import { ConsumerLoop } from './consumer-loop.js';
import { FaultyProcess } from '../fixtures/faulty-process.js';
import { seededRandom } from '@po/testing/seeded-random';
import { advanceClock, advanceUntilSettled, useVirtualClock, flushEventLoop } from '../fixtures/virtual-time.js';
import { InMemoryKafka } from '../in-memory/in-memory-kafka.js';
import type { IncomingRecord } from '../kafka-port.js';

const TOPIC = 'things.v1';
const GROUP = 'things';
const PARTITIONS = 3;
const KEYS = ['a', 'b', 'c', 'd', 'e'];

interface Consumer {
  process: FaultyProcess;
  loop: ConsumerLoop;
}

/** Several processes of one group over a faulty Kafka. `violations` lists what must not happen to their records. */
class World {
  readonly kafka = new InMemoryKafka([{ topic: TOPIC, partitions: PARTITIONS, retention: 1, maxMessageBytes: 1_000 }]);
  readonly produced: string[] = [];
  readonly effects = new Set<string>();
  readonly started: string[] = [];
  readonly violations: string[] = [];
  readonly consumers: Consumer[] = [];
  private readonly done = new Set<string>();

  constructor(private readonly random: () => number) {}

  async produce(count: number): Promise<void> {
    const records = Array.from({ length: count }, () => {
      const key = KEYS[Math.floor(this.random() * KEYS.length)] as string;
      const value = `${key}${String(this.produced.length).padStart(4, '0')}`;
      this.produced.push(value);
      return { topic: TOPIC, key, value, headers: {} };
    });
    await this.kafka.producer().send(records);
  }

  join(): void {
    const { random } = this;
    const process = new FaultyProcess(
      this.kafka,
      { random, delayed: 0.3, repeated: 0.2, commitLost: 0.2, commitUnanswered: 0.2 },
      (offsets) => this.committing(offsets),
    );
    const loop = new ConsumerLoop({
      kafka: process,
      logger: pino({ level: 'silent' }),
      concurrency: 3,
      consumer: { group: GROUP, topics: [TOPIC], from: 'earliest' },
      queueKeyOf: ({ key }) => String(key),
      handle: (record, stopped) => this.handle(process, record, stopped),
    });
    loop.start();
    this.consumers.push({ process, loop });
  }

  async leave(index: number): Promise<void> {
    const [consumer] = this.consumers.splice(index % Math.max(1, this.consumers.length), 1);
    if (consumer) await advanceUntilSettled(consumer.loop.drain(1_000));
  }

  async die(index: number): Promise<void> {
    const [consumer] = this.consumers.splice(index % Math.max(1, this.consumers.length), 1);
    await consumer?.process.die();
    if (consumer) await advanceUntilSettled(consumer.loop.drain(1_000));
  }

  /** True when the last record of every partition is committed. */
  async settled(): Promise<boolean> {
    const admin = await this.kafka.admin();
    const ends = await admin.offsets(TOPIC);
    const committed = await admin.committed(GROUP, TOPIC);
    return ends.every(({ partition, high }) => high === '0' || committed[partition]?.offset === high);
  }

  private async handle(process: FaultyProcess, record: IncomingRecord, stopped: () => boolean): Promise<boolean> {
    const value = String(record.value);
    if (!process.owns(record) && !process.dead)
      this.violations.push(`${value} was started after its partition was lost`);
    this.started.push(value);
    await flushEventLoop(Math.floor(this.random() * 6));
    if (process.dead || (stopped() && this.random() < 0.5)) return false;
    this.effects.add(value);
    this.done.add(`${record.partition}/${record.offset}`);
    return true;
  }

  private committing(offsets: readonly { partition: number; offset: string }[]): void {
    for (const { partition, offset } of offsets) {
      for (let below = 0; below < Number(offset); below += 1) {
        if (!this.done.has(`${partition}/${below}`))
          this.violations.push(`${offset} committed, ${below} is not finished`);
      }
    }
  }
}

/** Values in the order of their first start. */
const firsts = (values: readonly string[], key: string) => [
  ...new Set(values.filter((value) => value.startsWith(key))),
];

describe('records of a group whose processes join, leave and crash', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  const step = fc.oneof(
    { weight: 5, arbitrary: fc.record({ do: fc.constant('produce' as const), n: fc.integer({ min: 1, max: 30 }) }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant('turns' as const), n: fc.integer({ min: 1, max: 15 }) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('pass' as const), n: fc.integer({ min: 50, max: 400 }) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant('join' as const), n: fc.constant(0) }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('leave', 'die', 'rebalance'), n: fc.nat(3) }) },
    { weight: 1, arbitrary: fc.record({ do: fc.constant('outage' as const), n: fc.integer({ min: 1, max: 15 }) }) },
  );

  it('are handled at least once and in order per key; none starts after its partition was lost or is committed unfinished', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer(), fc.array(step, { minLength: 5, maxLength: 30 }), async (seed, steps) => {
        useVirtualClock();
        const world = new World(seededRandom(seed));
        try {
          world.join();
          for (const { do: what, n } of steps) {
            if (what === 'produce') await world.produce(n);
            else if (what === 'turns') await flushEventLoop(n);
            else if (what === 'pass') await advanceClock(n);
            else if (what === 'join') world.join();
            else if (what === 'leave') await world.leave(n);
            else if (what === 'die') await world.die(n);
            else if (what === 'rebalance') world.kafka.rebalance(GROUP);
            else {
              world.kafka.down = true;
              await flushEventLoop(n);
              world.kafka.down = false;
            }
          }
          world.join();
          for (let looks = 0; looks < 200 && !(await world.settled()); looks += 1) await advanceClock(250);
          expect(await world.settled()).toBe(true);
        } finally {
          for (const { loop } of world.consumers) await advanceUntilSettled(loop.drain(1_000));
          jest.useRealTimers();
        }
        expect(world.violations).toEqual([]);
        expect(world.produced.filter((value) => !world.effects.has(value))).toEqual([]);
        for (const key of KEYS) {
          const order = firsts(world.started, key);
          expect(order).toEqual(order.toSorted());
        }
      }),
      { numRuns: 150 },
    );
  });
});
