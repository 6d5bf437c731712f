import { describe, expect, test } from '@jest/globals';
import { childTraceparent } from '@po/platform';
import { actors } from '@po/testing/actors';
import { exampleOrder, ordersDatabaseForTests, storeOrder } from '../fixtures/orders-database.js';
import { OrderStore } from './load-order.js';
import type { Order } from '../domain/order.js';
import { updateOf, saveChange } from '../orders/order-change.js';
import { outboxEntryOf } from '../orders/outbox-entry.js';
import type { ChangeEntry, StoredOrder } from './stored-order.js';

const database = ordersDatabaseForTests();

const load = (poNumber: string) =>
  database.databases.internal.transaction(null, (send) => new OrderStore().lock(send, poNumber, null));

const submit: ChangeEntry = { action: 'SUBMIT', comment: 'as ordered', actor: actors.acme, changes: null };

const record = (before: StoredOrder, after: Order, entry: ChangeEntry | null) =>
  database.databases.internal.transaction(null, async (send) => {
    const change = updateOf(before, { after, entry, now: new Date(), reminderSettings: database.reminders.current });
    const outbox = outboxEntryOf(change, childTraceparent(undefined));
    await saveChange(send, change, outbox, null);
    return change;
  });

interface OutboxRow {
  key: string;
  version: number;
  messages: { topic: string; headers: Record<string, string>; value: string }[];
}
const outboxOf = (poNumber: string) =>
  database.inspect<OutboxRow>('SELECT key, version, messages FROM outbox WHERE key = $1 ORDER BY position', [poNumber]);

describe('the store', () => {
  test('reads an order back as it was written', async () => {
    const negotiating = exampleOrder('PO-ROUND', {
      comment: { value: 'late yarn', baseline: null, edited: true, recorded: 'x' },
      container: { value: 'MSKU1', baseline: 'MSKU0', edited: false, recorded: null },
      tracking: { value: null, baseline: 'T', edited: false, recorded: 'T' },
      agreedAt: '2026-10-01T10:00:00.123Z',
      hasSourceConflict: true,
      xfd: {
        original: '2026-12-31',
        source: '2026-12-30',
        reply: '2027-01-01',
        agreed: '2026-12-29',
        sourceChanged: true,
        edited: true,
      },
    });
    const [first, ...others] = negotiating.lines;
    const order: Order = {
      ...negotiating,
      lines: [
        {
          ...first!,
          qty: { original: 9_999_999, source: 1, reply: 0, agreed: 3, sourceChanged: true, edited: true },
          price: {
            original: 99_999_999_999_999n,
            source: 1n,
            reply: 125_001n,
            agreed: 2n,
            sourceChanged: true,
            edited: true,
          },
          removalEchoed: true,
        },
        ...others.map((line) => ({ ...line, removed: true })),
      ],
    };
    const stored = await storeOrder(database, order);
    expect(await load('PO-ROUND')).toEqual(stored);
    expect(stored).toMatchObject({ ...order, version: 1, sequence: 1, vendorName: 'Acme Garments' });
  });

  test('publishes a transition with the headers of its entry and the terms of the order, and the state', async () => {
    const created = await storeOrder(database, exampleOrder('PO-ACTS'));
    const { entry } = await record(created, { ...created, statusId: 200 }, submit);
    const [transition, state] = (await outboxOf('PO-ACTS')).at(-1)?.messages ?? [];
    expect(transition?.headers).toMatchObject({
      ce_specversion: '1.0',
      ce_id: entry?.id,
      ce_type: 'po.transitioned.v1',
      ce_source: '/purchase-orders',
      ce_subject: 'PO-ACTS',
      'content-type': 'application/json',
    });
    expect(JSON.parse(transition?.value ?? '')).toMatchObject({
      id: entry?.id,
      vendor: 'Acme Garments',
      amount: 2541.67,
      xfDate: '2099-01-15',
    });
    expect(JSON.parse(state?.value ?? '')).toMatchObject({
      poVersion: 2,
      agreed: null,
      cells: [{ qty: 100, unitPrice: 12.5 }, { qty: 50 }, { qty: 20, unitPrice: 33.3333 }],
      recentActivity: [{ id: entry?.id, action: 'SUBMIT', comment: 'as ordered' }],
    });
  });

  test('refuses a change of an older version as a whole', async () => {
    const created = await storeOrder(database, exampleOrder('PO-STALE'));
    await record(created, { ...created, statusId: 200 }, submit);
    const before = await load('PO-STALE');
    const stale = {
      ...created,
      statusId: 900 as const,
      lines: created.lines.map((line) => ({ ...line, removed: true })),
    };
    await expect(record(created, stale, submit)).rejects.toThrow('returned 0 rows');
    expect(await load('PO-STALE')).toEqual(before);
    expect(await outboxOf('PO-STALE')).toHaveLength(2);
  });

  test('lets one of two concurrent creations win, and fails the other with a retriable error instead of bad content', async () => {
    const outcomes = await Promise.allSettled([
      storeOrder(database, exampleOrder('PO-TWICE')),
      storeOrder(database, exampleOrder('PO-TWICE')),
    ]);
    const failed = outcomes.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    expect(failed).toHaveLength(1);
    expect(failed[0]!.reason).not.toHaveProperty('code');
    expect(await outboxOf('PO-TWICE')).toHaveLength(1);
  });
});
