import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type Activity, STATUSES, STATUS_IDS } from '@po/contracts';
import fc from 'fast-check';
import { SampleOrder, type SampleState, sampleOrders } from '../../../../test/support/order-states.js';
import { type TestRedis, testRedis } from '../../../../test/support/redis.js';
import { Counters, type Position } from './counters.js';
import { Build } from '../rebuilding/generations.js';
import { type Keys, keysUnder } from './keys.js';

const VENDORS = ['ACME', 'BOLT Ltd: 1', '供应商*'];
const ORDERS = 7;
const LOCK_MS = 10_000;

/** The plain reference: a generation is the newest version it was given of each order, nothing else. */
class Reference {
  readonly orders = new Map<string, SampleState>();

  take(state: SampleState): boolean {
    if ((this.orders.get(state.poRef)?.poVersion ?? 0) >= state.poVersion) return false;
    this.orders.set(state.poRef, state);
    return true;
  }

  kpis(vendorCode: string | null) {
    const visible = [...this.orders.values()].filter((order) => vendorCode === null || order.vendorCode === vendorCode);
    return Object.fromEntries(
      STATUSES.map(({ kpiKey, statusId }) => [kpiKey, visible.filter((order) => order.statusId === statusId).length]),
    );
  }

  feed(vendorCode: string | null): Activity[] {
    const rank = ({ occurredAt, id }: Activity) => `${occurredAt} ${id}`;
    return [...this.orders.values()]
      .flatMap(({ recentActivity }) => recentActivity)
      .filter((entry) => vendorCode === null || entry.vendorCode === vendorCode)
      .toSorted((a, b) => (rank(a) < rank(b) ? 1 : -1))
      .slice(0, 20);
  }
}

interface Logged {
  position: Position;
  state: SampleState;
}

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('change' as const),
      order: fc.nat(ORDERS - 1),
      statuses: fc.array(fc.constantFrom(...STATUS_IDS), { minLength: 1, maxLength: 9 }),
      later: fc.nat(2),
    }),
  },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('deliver' as const), partition: fc.nat(1), count: fc.nat(4) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('redeliver' as const), pick: fc.nat(10_000) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('begin' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('read' as const), count: fc.nat(6) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('finish' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('flush' as const) }) },
);

describe('the counters', () => {
  let store: TestRedis;
  let keys: Keys;
  let counters: Counters;
  let run = 0;

  const begin = async (lockMs = LOCK_MS) => {
    const build = await Build.begin(store.redis, keys, `token-${run}`, lockMs);
    if (!build) throw new Error('another rebuilder holds the lock');
    return build;
  };
  const at = (offset: number, partition = 0): Position => ({
    partition: `po.state.v1/${partition}`,
    offset: String(offset),
  });
  const feed = async (vendorCode: string | null) =>
    JSON.parse((await counters.recentActivity(vendorCode)) ?? 'null') as Activity[] | null;

  beforeAll(async () => {
    store = await testRedis();
  });
  beforeEach(() => {
    run += 1;
    keys = keysUnder(`${store.prefix}-${run}`);
    counters = new Counters(store.redis, keys);
  });
  afterAll(() => store.close());

  it('equal the newest state of every order, whatever comes twice, late, or while a generation is built', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 80 }), async (steps) => {
        await store.flush();
        run += 1;
        keys = keysUnder(`${store.prefix}-${run}`);
        counters = new Counters(store.redis, keys);
        const orders = Array.from(
          { length: ORDERS },
          (_, index) => new SampleOrder(`PO-${index}`, VENDORS[index % VENDORS.length] as string),
        );
        const log: Logged[][] = [[], []];
        const delivered = [0, 0];
        let now = Date.UTC(2026, 10, 20);
        let current: Reference | null = null;
        let building: { build: Build; reference: Reference; read: number[]; ends: number[] } | null = null;

        const deliver = async ({ position, state }: Logged) => {
          const expected = (current ?? building?.reference)?.take(state);
          if (current) building?.reference.take(state);
          const outcome = await counters.apply(position, state);
          expect(outcome).toBe(expected === undefined ? 'no-generation' : expected ? 'applied' : 'duplicate');
        };
        const read = async (count: number) => {
          for (const [partition, records] of log.entries()) {
            for (let left = count; left > 0 && building; left -= 1) {
              const next = building.read[partition] as number;
              const record = records[next];
              if (!record || next >= (building.ends[partition] as number)) break;
              building.read[partition] = next + 1;
              building.reference.take(record.state);
              await building.build.write(record.position, record.state);
            }
          }
        };

        for (const one of steps) {
          switch (one.do) {
            case 'change': {
              const order = orders[one.order] as SampleOrder;
              now += one.later;
              for (const statusId of one.statuses) order.moveTo(statusId, now);
              const partition = one.order % 2;
              const records = log[partition] as Logged[];
              records.push({ position: at(records.length, partition), state: order.state() });
              break;
            }
            case 'deliver':
              for (let left = one.count; left > 0; left -= 1) {
                const record = log[one.partition]?.[delivered[one.partition] as number];
                if (!record || (!current && !building)) break;
                delivered[one.partition] = (delivered[one.partition] as number) + 1;
                await deliver(record);
              }
              break;
            case 'redeliver': {
              const all = log.flat();
              const record = all[one.pick % Math.max(all.length, 1)];
              if (record) await deliver(record);
              break;
            }
            case 'begin':
              // A rebuild reads up to the end as it was when it began; what comes later only live events can bring.
              building ??= {
                build: await begin(),
                reference: new Reference(),
                read: [0, 0],
                ends: log.map(({ length }) => length),
              };
              break;
            case 'read':
              await read(one.count);
              break;
            case 'finish':
              await read(Infinity);
              if (building) {
                await building.build.finish();
                current = building.reference;
              }
              building = null;
              break;
            case 'flush':
              await store.flush();
              current = null;
              await building?.build.abandon();
              building = null;
              break;
          }
          for (const vendorCode of [null, ...VENDORS]) {
            expect(await counters.kpis(vendorCode)).toEqual(current && current.kpis(vendorCode));
            expect(await feed(vendorCode)).toEqual(current && current.feed(vendorCode));
          }
        }
      }),
      { numRuns: 60 },
    );
  }, 120_000);

  it('keep the payload of no entry that stands in no feed', async () => {
    const build = await begin();
    await build.finish();
    const order = new SampleOrder('PO-1', 'ACME');
    for (let offset = 0; offset < 30; offset += 1) await counters.apply(at(offset), order.moveTo(200, offset));
    const base = `${keys.prefix}:${build.generation}`;
    expect(await store.redis.hlen(`${base}:entries`)).toBe(20);
    expect(await store.redis.hkeys(`${base}:entries`)).toEqual(
      expect.arrayContaining(await store.redis.zrange(`${base}:feed`, '0', '-1')),
    );
  });

  it('fill a generation that is begun later with the activities that the current one has no room for', async () => {
    const first = await begin();
    await first.finish();
    const [early, late] = [new SampleOrder('PO-1', 'ACME'), new SampleOrder('PO-2', 'ACME')];
    for (let step = 0; step < 12; step += 1) await counters.apply(at(step), early.moveTo(200, step));
    for (let step = 0; step < 25; step += 1) await counters.apply(at(step, 1), late.moveTo(200, 100 + step));
    const second = await begin();
    const last = early.moveTo(150, 1_000);
    expect(await counters.apply(at(12), last)).toBe('applied');
    expect((await feed('ACME'))?.map(({ poRef }) => poRef)).toEqual([
      'PO-1',
      ...Array.from({ length: 19 }, () => 'PO-2'),
    ]);
    await second.finish();
    expect(await feed('ACME')).toEqual(last.recentActivity);
    expect(await feed(null)).toEqual(last.recentActivity);
  });

  it('note the highest offset of each partition, in any order', async () => {
    const build = await begin();
    await build.finish();
    const [a, b, c] = sampleOrders(3) as [SampleState, SampleState, SampleState];
    await counters.apply(at(12), a);
    await counters.apply(at(9), b);
    await counters.apply(at(3, 1), c);
    expect(await counters.positions(build.generation)).toEqual(
      new Map([
        ['po.state.v1/0', 12n],
        ['po.state.v1/1', 3n],
      ]),
    );
  });

  describe('when Redis goes back to an older copy', () => {
    const [first, second, third] = sampleOrders(3) as [SampleState, SampleState, SampleState];
    let olderCopy: () => Promise<void>;

    beforeEach(async () => {
      const build = await begin();
      await build.finish();
      await counters.apply(at(5), first);
      const names = (await store.redis.keys(`${keys.prefix}:*`)).filter((name) => name.startsWith(`${keys.prefix}:`));
      const dumps = await Promise.all(names.map((name) => store.redis.dumpBuffer(name)));
      olderCopy = async () => {
        for (const [index, name] of names.entries()) {
          await store.redis.restore(name, 0, dumps[index] as Buffer, 'REPLACE');
        }
      };
    });

    it('report it at the next event, also when that lies above a lost lower offset, and count nothing', async () => {
      await counters.apply(at(4), second);
      await olderCopy();
      expect(await counters.apply(at(6), third)).toBe('went-back');
      expect(await counters.kpis(null)).toBeNull();
      expect(await counters.apply(at(6), third)).toBe('no-generation');
    });

    it('report it without an event too', async () => {
      await counters.apply(at(6), second);
      expect(await counters.check()).toMatchObject({ wentBack: false });
      await olderCopy();
      expect(await counters.check()).toEqual({ generation: null, wentBack: true });
      expect(await counters.check()).toEqual({ generation: null, wentBack: false });
    });

    it('report a generation older than the one they counted into', async () => {
      const next = await begin();
      await next.write(at(5), first);
      await next.finish();
      await counters.apply(at(6), second);
      await olderCopy();
      expect(await counters.check()).toEqual({ generation: null, wentBack: true });
    });

    it('leave what was lost while a generation was built out of service', async () => {
      const build = await begin();
      await build.write(at(5), first);
      await build.write(at(6), second);
      await store.redis.hset(`${keys.prefix}:${build.generation}:positions`, 'po.state.v1/0/applied', '1');
      await expect(build.finish()).rejects.toThrow('lost records');
    });
  });
});
