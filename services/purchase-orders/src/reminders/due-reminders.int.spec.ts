import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { PATTERNS, type ReminderDue, type StatusId } from '@po/contracts';
import { createLogger } from '@po/platform';
import { actors } from '@po/testing/actors';
import { eventually } from '@po/testing/eventually';
import { register } from 'prom-client';
import {
  type OrdersDatabase,
  contextOf,
  exampleOrder,
  listQuery,
  ordersDatabaseForTests,
  storeOrder,
} from '../fixtures/orders-database.js';
import { createDueReminders, oldestDue } from './due-reminders.js';
import { reminderIdOf } from './reminder-record.js';
import { ReminderScheduler } from './reminder-scheduler.js';

const logger = createLogger('test', 'silent');
// Monday 2 March 2026.
const STORED = new Date('2026-03-02T10:00:00Z');
const DUE = new Date('2026-03-05T08:00:00Z');

const database = ordersDatabaseForTests();
beforeEach(() => database.inspect('TRUNCATE outbox, history, line_items, purchase_orders RESTART IDENTITY CASCADE'));

const store = (poNumber: string, statusId: StatusId = 100) =>
  storeOrder(database, exampleOrder(poNumber, { statusId }), STORED);
const create = (now: Date, { databases = database.databases, limit = 100, onTaken = () => undefined as void } = {}) =>
  createDueReminders(databases, database.reminders.current, { now, limit, without: [], onTaken });

interface OutboxRow {
  key: string;
  version: number;
  messages: { topic: string; headers: Record<string, string>; value: string }[];
}
/** The published reminders, without the records of storing the orders. */
const published = async () =>
  (
    await database.inspect<OutboxRow>(
      `SELECT key, version, messages FROM outbox WHERE messages::text LIKE '%po.reminders.v1%' ORDER BY key, position`,
    )
  ).flatMap(({ key, messages }) =>
    messages.map(({ topic, headers, value }) => ({ key, topic, headers, data: JSON.parse(value) as ReminderDue })),
  );
const rowOf = async (poNumber: string) => {
  const [row] = await database.inspect<Record<string, unknown>>('SELECT * FROM purchase_orders WHERE po_number = $1', [
    poNumber,
  ]);
  return row;
};

describe('a due reminder', () => {
  test('is published once and moves the next due time, but neither version nor history', async () => {
    await store('PO-1');
    const before = await rowOf('PO-1');
    expect(await create(new Date(DUE.getTime() - 1))).toEqual({ created: [], more: false });
    expect(await create(DUE)).toEqual({ created: ['REPLY_DUE'], more: false });
    expect(await create(DUE)).toEqual({ created: [], more: false });
    const id = reminderIdOf('PO-1', 'REPLY_DUE', '2026-03-05');
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(await published()).toEqual([
      {
        key: 'PO-1',
        topic: 'po.reminders.v1',
        headers: expect.objectContaining({
          ce_id: id,
          ce_type: 'po.reminder-due.v1',
          ce_source: '/purchase-orders',
          ce_subject: 'PO-1',
          ce_time: '2026-03-05T08:00:00.000Z',
        }) as object,
        data: {
          id,
          rule: 'REPLY_DUE',
          dueOn: '2026-03-05',
          step: 1,
          poRef: 'PO-1',
          poNumber: 'PO-1',
          vendorCode: 'ACME',
          vendor: 'Acme Garments',
          buyerEmail: 'buyer@example.com',
          statusId: 100,
          xfDate: '2099-01-15',
          poVersion: 1,
          title: 'PO-1: reply due since 5 March',
          titleZh: 'PO-1：自3月5日起待回复',
        },
      },
    ]);
    const after = await rowOf('PO-1');
    expect(after).toEqual({
      ...before,
      waiting_done_until: new Date('2026-03-05T23:59:59.999Z'),
      waiting_next_due_at: new Date('2026-03-09T08:00:00Z'),
    });
    expect(await database.inspect('SELECT FROM history')).toHaveLength(1);
  });

  test('after an outage is only the latest step of each rule, in one row of the outbox', async () => {
    await storeOrder(
      database,
      exampleOrder('PO-1', { xfd: { ...exampleOrder('PO-1').xfd, original: '2026-03-04' } }),
      STORED,
    );
    expect((await create(new Date('2026-03-14T00:00:00Z'))).created).toEqual(['REPLY_DUE', 'EX_FACTORY_OVERDUE']);
    expect((await published()).map(({ data: { rule, step, dueOn } }) => [rule, step, dueOn])).toEqual([
      ['REPLY_DUE', 3, '2026-03-11'],
      ['EX_FACTORY_OVERDUE', 2, '2026-03-12'],
    ]);
    expect(await create(new Date('2026-03-18T00:00:00Z'))).toEqual({ created: [], more: false });
  });

  test('is created by only one of two concurrent replicas', async () => {
    const numbers = Array.from({ length: 30 }, (_, index) => `PO-${100 + index}`);
    for (const number of numbers) await store(number);
    const { databases } = await database.replica();
    const replica = async (own: OrdersDatabase['databases']) => {
      while ((await create(DUE, { databases: own, limit: 4 })).more);
    };
    await Promise.all([replica(database.databases), replica(databases)]);
    // Creates reminders that one replica left to the other after the other had finished.
    await replica(databases);
    expect((await published()).map(({ key }) => key)).toEqual(numbers);
  });

  test('is not created while its order is being changed', async () => {
    await store('PO-1', 200);
    const due = new Date('2026-03-04T08:00:00Z');
    await database.databases.internal.transaction(null, async (send) => {
      await send("SELECT FROM purchase_orders WHERE po_number = 'PO-1' FOR UPDATE");
      expect(await create(due)).toEqual({ created: [], more: false });
    });
    expect((await create(due)).created).toEqual(['APPROVAL_DUE']);
  });

  test('is not created after the order has left the status', async () => {
    await store('PO-1', 200);
    await database.service.transition(
      { poRef: 'PO-1', request: { action: 'APPROVE' } },
      contextOf(actors.buyer, PATTERNS.transition.type),
    );
    expect(await create(new Date('2026-03-04T08:00:00Z'))).toEqual({ created: [], more: false });
  });
});

describe('a crash', () => {
  const traces = async () => [await rowOf('PO-1'), await published()];

  test.each(['after the order is taken', 'after its due time is stored', 'before the commit'])(
    '%s changes nothing, and the reminder is created afterwards',
    async (when) => {
      await store('PO-1');
      const before = await traces();
      const failing = failureOf[when];
      await database.inspect(failing?.begin ?? 'SELECT 1');
      await expect(create(DUE, { onTaken: () => failing?.taken?.() })).rejects.toThrow('crash');
      await database.inspect(failing?.end ?? 'SELECT 1');
      expect(await traces()).toEqual(before);
      expect((await create(DUE)).created).toEqual(['REPLY_DUE']);
    },
  );
});

const crashOf = (sqlState: string) => `CREATE OR REPLACE FUNCTION crash() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN IF NEW.key LIKE '%-1' THEN RAISE EXCEPTION 'crash' USING ERRCODE = '${sqlState}'; END IF; RETURN NEW; END $$;`;
const [REFUSED, DISK_FULL] = ['22023', '53100'];
const CRASH = crashOf(REFUSED);
const failureOf: Record<string, { begin?: string; end?: string; taken?: () => void }> = {
  'after the order is taken': {
    taken: () => {
      throw new Error('crash');
    },
  },
  'after its due time is stored': {
    begin: `${CRASH} CREATE TRIGGER crash BEFORE INSERT ON outbox FOR EACH ROW EXECUTE FUNCTION crash()`,
    end: 'DROP TRIGGER crash ON outbox',
  },
  'before the commit': {
    begin: `${CRASH} CREATE CONSTRAINT TRIGGER crash AFTER INSERT ON outbox DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION crash()`,
    end: 'DROP TRIGGER crash ON outbox',
  },
};

describe('the scheduler', () => {
  let scheduler: ReminderScheduler;
  let now: Date;
  afterEach(() => scheduler.stop());
  /** Starts at `STORED`. */
  const start = (more: { setAsideMs?: number } = {}) => {
    const { databases, reminders } = database;
    const onCreated = () => undefined;
    now = STORED;
    scheduler = new ReminderScheduler({
      databases,
      reminders,
      logger,
      onCreated,
      clock: () => now,
      pollMs: 20,
      ...more,
    });
    scheduler.start();
  };
  const failures = async () => (await register.getSingleMetric('reminders_failures_total')!.get()).values[0]!.value;

  test('creates due reminders at its next poll, and reports that it is late until then', async () => {
    start();
    await store('PO-1');
    expect(await oldestDue(database.databases, database.reminders.current, DUE)).toEqual(DUE);
    now = DUE;
    await eventually('the reminder is published', async () => (await published()).length === 1);
    await eventually(
      'no reminder is due',
      async () => (await oldestDue(database.databases, database.reminders.current, DUE)) === null,
    );
    await eventually('the scheduler is not late', () => scheduler.lateSeconds <= 0);
  });

  test('continues with other orders if one fails, and retries that one', async () => {
    start({ setAsideMs: 100 });
    const numbers = ['PO-1', 'PO-2', 'PO-3', 'PO-4', 'PO-5'];
    for (const number of numbers) await store(number);
    await database.inspect(
      `${CRASH} CREATE TRIGGER crash BEFORE INSERT ON outbox FOR EACH ROW EXECUTE FUNCTION crash()`,
    );
    now = new Date(DUE.getTime() + 60_000);
    await eventually('the other reminders are published', async () => (await published()).length === 4);
    expect((await published()).map(({ key }) => key)).toEqual(numbers.slice(1));
    await eventually('the scheduler is late', () => scheduler.lateSeconds >= 60);
    await database.inspect('DROP TRIGGER crash ON outbox');
    await eventually('all reminders are published', async () => (await published()).length === 5);
  });

  test('sets no order aside if the database fails, and creates all reminders after its recovery', async () => {
    start();
    const failed = await failures();
    await store('PO-1');
    await database.inspect(
      `${crashOf(DISK_FULL)} CREATE TRIGGER crash BEFORE INSERT ON outbox FOR EACH ROW EXECUTE FUNCTION crash()`,
    );
    now = DUE;
    await eventually('a batch has failed', async () => (await failures()) > failed);
    await database.inspect('DROP TRIGGER crash ON outbox');
    await eventually('the reminder is published', async () => (await published()).length === 1);
  });

  test('finishes its batch when it is stopped, and creates nothing afterwards', async () => {
    start();
    await scheduler.stop();
    await store('PO-1');
    now = DUE;
    expect(await published()).toEqual([]);
  });
});

describe('the next reminder', () => {
  const nextDueOf = async (actor: (typeof actors)['acme' | 'buyer']) => {
    const { body: detail } = await database.queries.detail(
      { poRef: 'PO-1', includeLineItems: false },
      contextOf(actor, PATTERNS.detail.type),
    );
    const { body: list } = await database.queries.list(listQuery(), contextOf(actor, PATTERNS.list.type));
    const nextDue = (detail as { nextDue: unknown }).nextDue;
    expect((list as { data: { nextDue: unknown }[] }).data[0]?.nextDue).toEqual(nextDue);
    return nextDue;
  };

  test("is the next step for the caller's side", async () => {
    await store('PO-1');
    const reply = { rule: 'REPLY_DUE', firstOn: '2026-03-05' };
    const overdue = { rule: 'EX_FACTORY_OVERDUE', on: '2099-01-16', firstOn: '2099-01-16' };
    expect(await nextDueOf(actors.acme)).toEqual({ ...reply, on: '2026-03-05' });
    expect(await nextDueOf(actors.buyer)).toEqual(overdue);
    await create(DUE);
    expect(await nextDueOf(actors.acme)).toEqual({ ...reply, on: '2026-03-09' });
    expect(await nextDueOf(actors.buyer)).toEqual(overdue);
  });

  test('is not part of the published state', async () => {
    await store('PO-1');
    const [row] = await database.inspect<OutboxRow>('SELECT messages FROM outbox');
    const state = row?.messages.find(({ topic }) => topic === 'po.state.v1');
    expect(JSON.parse(state?.value ?? '')).not.toHaveProperty('nextDue');
  });
});
