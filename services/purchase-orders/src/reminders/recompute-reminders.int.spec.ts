import { beforeEach, describe, expect, test } from '@jest/globals';
import type { StatusId } from '@po/contracts';
import { createLogger } from '@po/platform';
import { eventually } from '@po/testing/eventually';
import { exampleOrder, ordersDatabaseForTests, storeOrder } from '../fixtures/orders-database.js';
import { reminderSettings } from '../fixtures/reminders.js';
import { AdoptedReminderSettings } from '../store/adopted-reminder-settings.js';
import { recomputeOutdated, reminderRecomputation } from './recompute-reminders.js';

// Monday 2 March 2026.
const STORED = new Date('2026-03-02T10:00:00Z');

const database = ordersDatabaseForTests();
beforeEach(() =>
  database.inspect('TRUNCATE reminder_settings, outbox, history, line_items, purchase_orders RESTART IDENTITY CASCADE'),
);

const store = (poNumber: string, statusId: StatusId = 100, settings = database.reminders) =>
  storeOrder({ ...database, reminders: settings }, exampleOrder(poNumber, { statusId }), STORED);
const recompute = (now: Date, settings = database.reminders, limit = 100) =>
  recomputeOutdated(database.databases, settings.current, now, { limit, without: [], onTaken: () => undefined });
const dueTimes = async () =>
  (
    await database.inspect<{ first: Date | null; next: Date | null }>(
      'SELECT waiting_first_due_at AS first, waiting_next_due_at AS next FROM purchase_orders ORDER BY id',
    )
  ).map(({ first, next }) => [first, next].map((time) => time?.toISOString() ?? null));
const NOTHING = { done: 0, more: false };

describe('other settings', () => {
  const replica = async (rules: Parameters<typeof reminderSettings>[0]) => {
    const settings = new AdoptedReminderSettings(database.databases, reminderSettings(rules));
    return { settings, adopted: await settings.adopt({ starting: true }) };
  };

  test('of a starting process apply from then on; equal settings have the same generation', async () => {
    const first = await replica({});
    const same = await replica({});
    const other = await replica({ rules: { REPLY_DUE: 'off' } });
    expect([first, same, other].map(({ settings, adopted }) => [settings.current.generation, adopted])).toEqual([
      [1, true],
      [1, true],
      [2, true],
    ]);
    expect(await first.settings.adopt({ starting: false })).toBe(false);
    expect(await other.settings.adopt({ starting: false })).toBe(true);
  });

  test('of processes that are gone are replaced by those of a running process', async () => {
    const first = await replica({});
    await replica({ rules: { REPLY_DUE: 'off' } });
    await database.inspect("UPDATE reminder_settings SET seen_at = seen_at - interval '3 minutes'");
    expect(await first.settings.adopt({ starting: false })).toBe(true);
    expect(first.settings.current.generation).toBe(3);
  });

  test('are applied to all orders: a rule that is off has no reminders, and past steps are skipped', async () => {
    const { settings } = await replica({});
    await store('PO-1', 100, settings);
    await store('PO-2', 200, settings);
    const off = (await replica({ rules: { REPLY_DUE: 'off', APPROVAL_DUE: '1/1/4' } })).settings;
    const now = new Date('2026-03-03T12:00:00Z');
    expect(await recompute(now, settings)).toEqual(NOTHING);
    expect(await recompute(now, off)).toEqual({ done: 2, more: true });
    expect(await recompute(now, off)).toEqual(NOTHING);
    expect(await dueTimes()).toEqual([
      [null, null],
      ['2026-03-03T08:00:00.000Z', '2026-03-04T08:00:00.000Z'],
    ]);
    // A replica with the old settings does not undo the change.
    expect(await recompute(now, settings)).toEqual(NOTHING);
    await store('PO-3', 100, settings);
    expect(await recompute(now, off)).toEqual({ done: 1, more: true });
  });

  test('are applied in batches, without orders that are being changed', async () => {
    const { settings } = await replica({});
    for (const number of ['PO-1', 'PO-2', 'PO-3']) await store(number, 100, settings);
    const { settings: other } = await replica({ rules: { REPLY_DUE: 'off' } });
    await database.databases.internal.transaction(null, async (send) => {
      await send('SELECT FROM purchase_orders FOR UPDATE');
      expect(await recompute(STORED, other)).toEqual(NOTHING);
    });
    expect(await recompute(STORED, other, 2)).toEqual({ done: 2, more: true });
    expect(await recompute(STORED, other, 2)).toEqual({ done: 1, more: true });
    expect(await recompute(STORED, other, 2)).toEqual(NOTHING);
  });

  test('are applied to the other orders if one order fails', async () => {
    const { settings } = await replica({});
    for (const number of ['PO-1', 'PO-2', 'PO-3']) await store(number, 100, settings);
    const { settings: off } = await replica({ rules: { REPLY_DUE: 'off' } });
    await database.inspect(
      `CREATE OR REPLACE FUNCTION crash() RETURNS trigger LANGUAGE plpgsql AS
       $$ BEGIN IF NEW.po_number = 'PO-1' THEN RAISE EXCEPTION 'crash' USING ERRCODE = '22023'; END IF; RETURN NEW; END $$;
       CREATE TRIGGER crash BEFORE UPDATE ON purchase_orders FOR EACH ROW EXECUTE FUNCTION crash()`,
    );
    const recomputation = reminderRecomputation(database.databases, off, createLogger('test', 'silent'), {
      firstMs: 10,
    });
    recomputation.start();
    try {
      await eventually('the other orders have no reminders', async () => {
        const [first, ...others] = await dueTimes();
        return first?.[0] !== null && others.every(([due]) => due === null);
      });
    } finally {
      await recomputation.stop();
      await database.inspect('DROP TRIGGER crash ON purchase_orders');
    }
    expect(await recompute(STORED, off)).toEqual({ done: 1, more: true });
  });
});
