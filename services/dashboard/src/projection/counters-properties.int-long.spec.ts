import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Activity, STATUSES, STATUS_IDS } from '@po/contracts';
import fc from 'fast-check';
import { SampleOrder, type SampleState, activitiesOf } from '../fixtures/order-states.js';
import { type TestRedis, testRedis } from '../fixtures/redis.js';
import { positionAt, countingIn } from '../fixtures/counting.js';
import type { RebuildAttempt } from '../rebuilding/rebuild-attempt.js';
import type { Position } from './counters.js';

const VENDORS = ['ACME', 'BOLT Ltd: 1', '供应商*'];
const ORDERS = 7;

/** Reference model: a generation has the newest version of each order that it received, and the latest name of each vendor. */
class Reference {
  readonly orders = new Map<string, SampleState>();
  private readonly latest = new Map<string, SampleState>();

  take(state: SampleState): boolean {
    if ((this.orders.get(state.poRef)?.poVersion ?? 0) >= state.poVersion) return false;
    this.orders.set(state.poRef, state);
    if ((this.latest.get(state.vendorCode)?.updatedAt ?? '') <= state.updatedAt)
      this.latest.set(state.vendorCode, state);
    return true;
  }

  kpis(vendorCode: string | null) {
    const visible = [...this.orders.values()].filter((order) => vendorCode === null || order.vendorCode === vendorCode);
    return Object.fromEntries(
      STATUSES.map(({ kpiKey, statusId }) => [kpiKey, visible.filter((order) => order.statusId === statusId).length]),
    );
  }

  feed(vendorCode: string | null) {
    const rank = ({ occurredAt, id }: Pick<Activity, 'occurredAt' | 'id'>) => `${occurredAt} ${id}`;
    return [...this.orders.values()]
      .flatMap(activitiesOf)
      .filter((entry) => vendorCode === null || entry.vendorCode === vendorCode)
      .toSorted((a, b) => (rank(a) < rank(b) ? 1 : -1))
      .slice(0, 20)
      .map((entry) => ({ ...entry, vendor: this.latest.get(entry.vendorCode)?.vendor }));
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
  { weight: 1, arbitrary: fc.record({ do: fc.constant('rename' as const), vendor: fc.nat(VENDORS.length - 1) }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('deliver' as const), partition: fc.nat(1), count: fc.nat(4) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('redeliver' as const), pick: fc.nat(10_000) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('begin' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('read' as const), count: fc.nat(6) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('finish' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('flush' as const) }) },
);

describe('the counters', () => {
  let store: TestRedis;
  beforeAll(async () => {
    store = await testRedis();
  });
  afterAll(() => store.close());

  it('match the newest state of every order despite duplicates, late records and rebuilds', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 80 }), async (steps) => {
        await store.flush();
        const { counters, begin, feed, signalled } = countingIn(store);
        const orders = Array.from(
          { length: ORDERS },
          (_, index) => new SampleOrder(`PO-${index}`, VENDORS[index % VENDORS.length] as string),
        );
        const log: Logged[][] = [[], []];
        const delivered = [0, 0];
        const expectedSignals: string[] = [];
        let now = Date.UTC(2026, 10, 20);
        let current: Reference | null = null;
        let building: { build: RebuildAttempt; reference: Reference; read: number[]; ends: number[] } | null = null;

        const deliver = async ({ position, state }: Logged) => {
          const { poRef, poVersion, statusId, vendorCode } = state;
          const live = current ?? building?.reference;
          if (live && poVersion >= (live.orders.get(poRef)?.poVersion ?? 0)) {
            expectedSignals.push(`${poRef} ${poVersion} ${statusId} ${vendorCode}`);
          }
          const expected = live?.take(state);
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
              records.push({ position: positionAt(records.length, partition), state: order.state() });
              break;
            }
            case 'rename':
              now += 1;
              for (const order of orders)
                if (order.vendorCode === VENDORS[one.vendor]) order.vendor = `${order.vendorCode} ${now}`;
              break;
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
              // A rebuild reads up to the end of the topic at its start; later records arrive only as live events.
              if (current) break;
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
              expectedSignals.length = 0;
              current = null;
              await building?.build.abandon();
              building = null;
              break;
          }
          for (const vendorCode of [null, ...VENDORS]) {
            expect(await counters.kpis(vendorCode)).toEqual(current && current.kpis(vendorCode));
            expect(await feed(vendorCode)).toEqual(current && current.feed(vendorCode));
          }
          expect(await signalled()).toEqual(expectedSignals);
        }
      }),
      { numRuns: 60 },
    );
  });
});
