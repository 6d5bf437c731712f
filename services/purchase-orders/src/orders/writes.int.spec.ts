import { describe, expect, test } from '@jest/globals';
import type { ProblemError } from '@po/contracts';
import { type Reply, serializeBody } from '@po/messaging';
import { actors } from '@po/testing/actors';
import {
  exampleOrder,
  ordersDatabaseForTests,
  storeOrder,
  storeOrderIn,
  storedLines,
} from '../fixtures/orders-database.js';
import { writesTo } from '../fixtures/writes.js';

const database = ordersDatabaseForTests({ commentRequired: 'REJECT' });

const { transition, patchHeader, patchLines, traces } = writesTo(database);
const body = (reply: Reply) => JSON.parse(String(serializeBody(reply))) as Record<string, unknown>;

describe('a transition', () => {
  test('returns the new status, version and history id, and is in the history', async () => {
    await storeOrder(database, exampleOrder('T-1'));
    const reply = await transition('T-1', 'SUBMIT', actors.acme);
    expect(reply).toMatchObject({ status: 200, headers: { etag: '"2"' } });
    const answer = body(reply);
    expect(answer).toEqual({
      success: true,
      newStatusId: 200,
      newStatus: 'Pending Approval',
      message: 'Transition SUBMIT completed',
      newStatusZh: '待审批',
      version: 2,
      historyId: expect.any(String),
      autoApproved: false,
    });
    const [entry] = await database.inspect('SELECT * FROM history WHERE id = $1', [answer.historyId]);
    expect(entry).toMatchObject({
      po_number: 'T-1',
      vendor_code: 'ACME',
      sequence: 2,
      from_status_id: 100,
      to_status_id: 200,
      actor_id: actors.acme.sub,
      actor_role: 'VENDOR',
    });
  });

  test('without its mandatory comment is 422 and changes nothing', async () => {
    await storeOrderIn(database, 'T-3', 200);
    const before = await traces('T-3');
    await expect(transition('T-3', 'REJECT', actors.buyer)).rejects.toMatchObject({ code: 'COMMENT_REQUIRED' });
    expect(await traces('T-3')).toEqual(before);
  });

  test('is later than the previous change, even if the clock of a replica was ahead', async () => {
    await storeOrder(database, exampleOrder('T-AHEAD'));
    const ahead = new Date(Date.now() + 5_000);
    await database.inspect('UPDATE purchase_orders SET updated_at = $1 WHERE po_number = $2', [ahead, 'T-AHEAD']);
    await transition('T-AHEAD', 'SUBMIT', actors.acme);
    const [row] = await database.inspect(
      `SELECT o.updated_at, h.occurred_at FROM purchase_orders o JOIN history h ON h.order_id = o.id AND h.sequence = 2
        WHERE o.po_number = $1`,
      ['T-AHEAD'],
    );
    const after = new Date(ahead.getTime() + 1);
    expect(row).toEqual({ updated_at: after, occurred_at: after });
  });
});

describe('an edit', () => {
  test('with one unknown line is 422, and no line changes', async () => {
    const order = await storeOrder(database, exampleOrder('E-4'));
    const before = await traces('E-4');
    const lines = [order.lines[0]!.rowHash, 'f'.repeat(32)].map((rowHash) => ({ rowHash, vendorReplyQty: 1 }));
    await expect(patchLines('E-4', lines, actors.acme)).rejects.toMatchObject({
      code: 'ROW_NOT_FOUND',
      options: { errors: [{ pointer: '/lines/1/rowHash' }] },
    });
    expect(await traces('E-4')).toEqual(before);
  });

  test('that changes nothing keeps the version and publishes nothing', async () => {
    await storeOrder(database, exampleOrder('E-3'));
    await patchHeader('E-3', { vendor_reply_factory: 'Dhaka 1' }, actors.acme);
    const before = await traces('E-3');
    const reply = await patchHeader('E-3', { vendor_reply_factory: 'Dhaka 1' }, actors.acme);
    expect(reply).toMatchObject({ status: 200, headers: { etag: '"2"' } });
    expect(await traces('E-3')).toEqual(before);
  });
});

describe('among concurrent writes to one order,', () => {
  test('exactly one of twenty SUBMITs wins, and the status refuses the others', async () => {
    await storeOrder(database, exampleOrder('RACE-1'));
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, () => transition('RACE-1', 'SUBMIT', actors.acme)),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const codes = outcomes.flatMap((outcome) =>
      outcome.status === 'rejected' ? [(outcome.reason as ProblemError).code] : [],
    );
    expect(codes).toEqual(Array.from({ length: 19 }, () => 'TRANSITION_NOT_ALLOWED'));
    expect(await traces('RACE-1')).toMatchObject([{ version: 2, sequence: 2, entries: '2', outbox: '2' }]);
  });

  test("either the buyer's APPROVE or the vendor's RECALL wins", async () => {
    await storeOrderIn(database, 'RACE-2', 200);
    const outcomes = await Promise.allSettled([
      transition('RACE-2', 'APPROVE', actors.buyer, { ifMatch: '"1"' }),
      transition('RACE-2', 'RECALL', actors.acme, { ifMatch: '"1"' }),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await traces('RACE-2')).toMatchObject([{ version: 2, sequence: 2 }]);
  });

  test('all edits of different lines are kept', async () => {
    const { lines } = await storeOrder(database, exampleOrder('RACE-3'));
    await Promise.all(
      lines.map(({ rowHash }, index) => patchLines('RACE-3', [{ rowHash, vendorReplyQty: index + 1 }], actors.acme)),
    );
    const stored = await storedLines(database, 'RACE-3');
    expect(stored.map(({ qty }) => qty.reply)).toEqual([1, 2, 3]);
    expect(await traces('RACE-3')).toMatchObject([{ version: 4 }]);
    const outbox = await database.inspect(`SELECT version FROM outbox WHERE key = 'RACE-3' ORDER BY position`);
    expect(outbox.map((row) => row.version as number)).toEqual([1, 2, 3, 4]);
  });
});
