import { describe, expect, test } from '@jest/globals';
import type { Schedule, StatusId } from '@po/contracts';
import { exampleOrder, ordersDatabaseForTests, storeOrder } from '../fixtures/orders-database.js';
import { readSchedule } from './schedule.js';

/** The last minute of a Wednesday. */
const NOW = new Date('2026-06-17T23:59:00Z');
const PIECES = 170;

const database = ordersDatabaseForTests();
const read = (vendorCode: string | null, now = NOW): Promise<Schedule> =>
  database.databases.accessTo(vendorCode).readAll((scoped) => readSchedule(scoped, now));

describe('the schedule', () => {
  const dated = (original: string, reply: string | null = null) => ({
    xfd: { ...exampleOrder('X').xfd, original, source: original, reply },
  });
  let stored = 0;
  const store = (xfd: ReturnType<typeof dated>, vendorCode = 'ACME', statusId: StatusId = 100) =>
    storeOrder(database, exampleOrder(`SCHEDULE-${(stored += 1)}`, { ...xfd, vendorCode, statusId }));

  test('without orders has twelve empty weeks and no overdue orders', async () => {
    const { asOf, weeks, overdue, overdueTotal } = await read(null);
    expect({ asOf, overdue, overdueTotal }).toEqual({ asOf: '2026-06-17', overdue: [], overdueTotal: 0 });
    expect(weeks).toHaveLength(12);
    expect(weeks[0]).toEqual({ from: '2026-06-15', orders: 0, quantity: 0 });
    expect(weeks.at(-1)?.from).toBe('2026-08-31');
  });

  test('counts unshipped orders by current date, in weeks from Monday to Sunday', async () => {
    for (const date of [
      '2026-06-14',
      '2026-06-15',
      '2026-06-17',
      '2026-06-21',
      '2026-06-22',
      '2026-09-06',
      '2026-09-07',
    ])
      await store(dated(date));
    // The vendor's reply counts, whether it is earlier or later.
    await store(dated('2026-06-30', '2026-06-16'));
    await store(dated('2026-06-01', '2026-07-01'));
    for (const statusId of [500, 600, 900] as const) await store(dated('2026-06-16'), 'ACME', statusId);
    const { weeks, overdue, overdueTotal } = await read(null);
    expect(weeks.filter(({ orders }) => orders > 0)).toEqual([
      { from: '2026-06-15', orders: 4, quantity: 4 * PIECES },
      { from: '2026-06-22', orders: 1, quantity: PIECES },
      { from: '2026-06-29', orders: 1, quantity: PIECES },
      { from: '2026-08-31', orders: 1, quantity: PIECES },
    ]);
    // An order of today is not overdue; one of this Monday is, and also counts in its week.
    expect(overdue).toEqual([{ vendor: 'Acme Garments', vendorCode: 'ACME', orders: 3, quantity: 3 * PIECES }]);
    expect(overdueTotal).toBe(3);
  });

  test('changes with the UTC date', async () => {
    const next = await read(null, new Date('2026-06-18T00:00:00Z'));
    expect([next.asOf, next.overdueTotal]).toEqual(['2026-06-18', 4]);
  });

  test('of a vendor counts only its own orders', async () => {
    await store(dated('2026-06-10'), 'BOLT');
    await store(dated('2026-06-24'), 'BOLT');
    const bolt = await read('BOLT');
    expect(bolt.weeks.map(({ orders }) => orders)).toEqual([0, 1, ...Array<number>(10).fill(0)]);
    expect([bolt.overdue.map(({ vendorCode, orders }) => [vendorCode, orders]), bolt.overdueTotal]).toEqual([
      [['BOLT', 1]],
      1,
    ]);
    expect((await read('CRANE')).overdueTotal).toBe(0);
  });

  test('lists the ten vendors with the most overdue orders, and counts the overdue orders of all vendors', async () => {
    for (const vendor of [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9]) await store(dated('2026-06-10'), `V${vendor}`);
    const { overdue, overdueTotal } = await read(null);
    expect(overdue.map(({ vendorCode }) => vendorCode)).toEqual([
      'ACME',
      'V9',
      'BOLT',
      'V0',
      'V1',
      'V2',
      'V3',
      'V4',
      'V5',
      'V6',
    ]);
    expect(overdueTotal).toBe(15);
  });
});
