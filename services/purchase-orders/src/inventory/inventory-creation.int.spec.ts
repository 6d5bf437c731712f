import { beforeAll, expect, test } from '@jest/globals';
import { TOPICS } from '@po/contracts';
import { inventoryOf, revision, withQty } from '../fixtures/inventory.js';
import { ordersDatabaseForTests } from '../fixtures/orders-database.js';
import { snapshot } from '../fixtures/orders.js';

const database = ordersDatabaseForTests();
let inventory: ReturnType<typeof inventoryOf>;
beforeAll(() => {
  inventory = inventoryOf(database);
});

test('an unknown order is created as New, with its lines, one history entry and one outbox row', async () => {
  await inventory.upsert(revision('N-1'));
  const { row, lines, history, outbox } = await inventory.traces('N-1');
  expect(row).toMatchObject({
    status_id: 100,
    version: 1,
    sequence: 1,
    source_revision: '1',
    vendor_code: 'ACME',
    amount: '799.95',
    total_qty: '65',
    line_count: 2,
    has_pending_changes: false,
  });
  expect(lines).toHaveLength(4);
  expect(history).toEqual([
    expect.objectContaining({
      action: 'IMPORT',
      from_status_id: null,
      to_status_id: 100,
      sequence: 1,
      po_version: 1,
      actor_id: null,
      actor_name: null,
      actor_role: 'SYSTEM',
      changes: null,
      comment: null,
    }),
  ]);
  expect(outbox.map(({ messages }) => messages.map(({ topic }) => topic))).toEqual([
    [TOPICS.transitions, TOPICS.state],
  ]);
});

test('an order of lines that are free of charge is created with amount 0', async () => {
  const { lines, ...order } = revision('N-0');
  await inventory.upsert({ ...order, lines: lines.map((line) => ({ ...line, unitPrice: 0 })) });
  expect(await inventory.rowOf('N-0')).toMatchObject({ status_id: 100, amount: '0.00', total_qty: '65' });
});

test('an order that the source cancelled before its arrival is created only at a newer revision', async () => {
  await inventory.cancel('N-2', 5);
  await inventory.cancel('N-2', 3);
  const before = await inventory.traces('N-2');
  for (const older of [1, 4, 5]) await inventory.upsert(revision('N-2', older));
  expect(await inventory.traces('N-2')).toEqual(before);
  expect(before.row).toBeUndefined();
  await inventory.upsert(revision('N-2', 6));
  expect(await inventory.rowOf('N-2')).toMatchObject({ status_id: 100, source_revision: '6' });
});

test('an order that arrives many times concurrently is created once, and the newest content wins', async () => {
  const revisions = [1, 3, 2, 3, 1, 2, 3, 1];
  await Promise.all(revisions.map((each) => inventory.upsert(withQty('N-3', each, 100 * each))));
  const { row, lines, history, outbox } = await inventory.traces('N-3');
  expect(lines[0]).toMatchObject({ qty: { original: 300, source: 300 } });
  expect(history.filter(({ action }) => action === 'IMPORT')).toHaveLength(1);
  expect(history.map(({ po_version }) => po_version)).toEqual(history.map((_entry, index) => index + 1));
  expect([row?.source_revision, row?.version, row?.sequence, outbox.length]).toEqual([
    '3',
    history.length,
    history.length,
    history.length,
  ]);
});

test('an order and its concurrent cancellation end as cancelled or never created, and stay so', async () => {
  await Promise.all([inventory.upsert(revision('N-4', 1)), inventory.cancel('N-4', 2)]);
  const after = await inventory.traces('N-4');
  // Created and cancelled, or never created.
  expect([900, undefined]).toContain(after.row?.status_id);
  await inventory.upsert(revision('N-4', 1));
  expect(await inventory.traces('N-4')).toEqual(after);
});

test('an order of 5,000 lines is created as a whole, and changed', async () => {
  const [line] = snapshot().lines;
  const lines = Array.from({ length: 5000 }, (_row, index) => ({ ...line!, lineId: `${index}`, size: `s${index}` }));
  await inventory.upsert(revision('N-5', 1, { lines }));
  await inventory.upsert(revision('N-5', 2, { lines: lines.map((each) => ({ ...each, qty: 7 })) }));
  expect(await inventory.rowOf('N-5')).toMatchObject({ total_qty: '35000', line_count: 1, version: 2 });
});
