import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PATTERNS, type ProblemError, type StatusId } from '@po/contracts';
import { type Reply, type RpcContext, encoded } from '@po/messaging';
import { actors } from '../../../../test/support/actors.js';
import {
  type OrdersDatabase,
  contextOf,
  exampleOrder,
  ordersDatabase,
  storeOrder,
  storeOrderIn,
} from '../fixtures/orders-database.js';

let database: OrdersDatabase;
beforeAll(async () => {
  database = await ordersDatabase({ commentRequired: 'REJECT' });
});
afterAll(() => database.drop());

type Actor = RpcContext['actor'];

const transition = (poRef: string, action: 'SUBMIT' | 'APPROVE' | 'REJECT' | 'RECALL', actor: Actor, more = {}) =>
  database.service.transition({ poRef, request: { action } }, contextOf(actor, PATTERNS.transition.type, more));
const patchHeader = (poRef: string, patch: Record<string, string | null>, actor: Actor, more = {}) =>
  database.service.updateHeader(
    { poRef, patch },
    contextOf(actor, PATTERNS.updateHeader.type, { method: 'PATCH', ...more }),
  );
const patchLines = (poRef: string, lines: object[], actor: Actor) =>
  database.service.updateLines(
    { poRef, patch: { lines: lines as { rowHash: string; vendorReplyQty?: number }[] } },
    contextOf(actor, PATTERNS.updateLines.type, { method: 'PATCH' }),
  );
const body = (reply: Reply) => JSON.parse(String(encoded(reply))) as Record<string, unknown>;

/** Everything a write could change about an order. */
const traces = (poNumber: string) =>
  database.inspect(
    `SELECT o.version, o.status_id, o.sequence, o.vendor_reply_factory, o.updated_at,
            (SELECT json_agg(c ORDER BY c.position) FROM cells c WHERE c.order_id = o.id) AS cells,
            (SELECT count(*) FROM history h WHERE h.order_id = o.id) AS entries,
            (SELECT count(*) FROM outbox x WHERE x.key = o.po_number) AS outbox
       FROM purchase_orders o WHERE o.po_number = $1`,
    [poNumber],
  );

/** What the attempt was refused with, and everything it left unchanged: two equal pictures of the order. */
async function refusal(poNumber: string, attempt: () => Promise<unknown>) {
  const before = await traces(poNumber);
  const problem: unknown = await attempt().then(
    () => null,
    (error: unknown) => error,
  );
  return { problem, unchanged: isDeepStrictEqual(await traces(poNumber), before) };
}

describe('a transition', () => {
  test('answers the new status, version and history id, and is in the history', async () => {
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

  test('APPROVE freezes what both sides agreed on, and publishes it', async () => {
    await storeOrder(database, exampleOrder('T-2'));
    await patchHeader('T-2', { vendor_reply_factory: 'Dhaka 1' }, actors.acme);
    await transition('T-2', 'SUBMIT', actors.acme);
    await transition('T-2', 'APPROVE', actors.buyer);
    const [row] = await database.inspect('SELECT * FROM purchase_orders WHERE po_number = $1', ['T-2']);
    expect(row).toMatchObject({
      status_id: 300,
      version: 4,
      agreed_factory: 'Dhaka 1',
      vendor_reply_factory: 'Dhaka 1',
      has_pending_changes: false,
    });
    const [last] = await database.inspect<{ messages: { value: string }[] }>(
      `SELECT messages FROM outbox WHERE key = 'T-2' ORDER BY position DESC LIMIT 1`,
    );
    expect(JSON.parse(last!.messages[0]!.value)).toMatchObject({
      action: 'APPROVE',
      agreed: { factory: 'Dhaka 1', xfd: '2099-01-15', lines: [{ qty: 100 }, { qty: 50 }, { qty: 20 }] },
    });
  });
});

describe('an edit', () => {
  test('of the header answers the full detail at the new version', async () => {
    await storeOrder(database, exampleOrder('E-1'));
    const reply = await patchHeader('E-1', { vendor_reply_factory: 'Dhaka 1', container_number: 'MSKU1' }, actors.acme);
    expect(reply.headers).toEqual({ etag: '"2"' });
    expect(body(reply)).toMatchObject({
      poRef: 'E-1',
      version: 2,
      originalFactory: 'Ningbo 2',
      vendorReplyFactory: 'Dhaka 1',
      factory: 'Dhaka 1',
      containerNumber: 'MSKU1',
      hasPendingChanges: true,
    });
  });

  test('of lines answers all lines; quantities and amounts of the order follow', async () => {
    const { cells } = await storeOrder(database, exampleOrder('E-2'));
    const reply = await patchLines('E-2', [{ rowHash: cells[0]!.rowHash, vendorReplyQty: 90 }], actors.acme);
    expect(JSON.parse(String(encoded(reply)))).toMatchObject([
      { code: 'TEE01-NVY', totalQty: 140, originalTotalQty: 150, totalAmount: 1750, isModified: true },
      { code: 'HOOD7-BLK', isModified: false },
    ]);
    const [row] = await database.inspect('SELECT * FROM purchase_orders WHERE po_number = $1', ['E-2']);
    expect(row).toMatchObject({
      version: 2,
      total_qty: '160',
      original_total_qty: '170',
      amount: '2416.67',
      line_count: 2,
    });
  });

  test('that changes nothing keeps the version and publishes nothing', async () => {
    await storeOrder(database, exampleOrder('E-3'));
    await patchHeader('E-3', { vendor_reply_factory: 'Dhaka 1' }, actors.acme);
    const before = await traces('E-3');
    const reply = await patchHeader('E-3', { vendor_reply_factory: 'Dhaka 1' }, actors.acme);
    expect(reply).toMatchObject({ status: 200, headers: { etag: '"2"' } });
    expect(await traces('E-3')).toEqual(before);
  });

  test('with one unknown row changes none', async () => {
    const { cells } = await storeOrder(database, exampleOrder('E-4'));
    const lines = [
      { rowHash: cells[0]!.rowHash, vendorReplyQty: 1 },
      { rowHash: 'f'.repeat(32), vendorReplyQty: 1 },
    ];
    expect(await refusal('E-4', () => patchLines('E-4', lines, actors.acme))).toMatchObject({
      unchanged: true,
      problem: {
        code: 'ROW_NOT_FOUND',
        options: { errors: [{ pointer: '/lines/1/rowHash' }] },
      },
    });
  });
});

describe('refusals change nothing and come in the documented order', () => {
  const stale = { ifMatch: '"99"' };

  test('unknown, and of another vendor: the same 404, before everything else', async () => {
    await storeOrder(database, exampleOrder('R-1'));
    await expect(transition('R-0', 'APPROVE', actors.acme, stale)).rejects.toMatchObject({ code: 'PO_NOT_FOUND' });
    expect(await refusal('R-1', () => transition('R-1', 'APPROVE', actors.bolt, stale))).toMatchObject({
      unchanged: true,
      problem: { code: 'PO_NOT_FOUND', members: {} },
    });
  });

  test('a role that never may: 403 before a stale version', async () => {
    await storeOrder(database, exampleOrder('R-2'));
    expect(await refusal('R-2', () => transition('R-2', 'APPROVE', actors.acme, stale))).toMatchObject({
      unchanged: true,
      problem: { code: 'ROLE_NOT_ALLOWED' },
    });
    expect(await refusal('R-2', () => transition('R-2', 'SUBMIT', actors.viewer, stale))).toMatchObject({
      unchanged: true,
      problem: { code: 'ROLE_NOT_ALLOWED' },
    });
    expect(
      await refusal('R-2', () => patchHeader('R-2', { container_number: 'X' }, actors.buyer, stale)),
    ).toMatchObject({
      unchanged: true,
      problem: {
        code: 'ROLE_NOT_ALLOWED',
      },
    });
  });

  test('a stale version: 412 before the state, with the current version', async () => {
    await storeOrderIn(database, 'R-3', 600);
    expect(await refusal('R-3', () => transition('R-3', 'SUBMIT', actors.acme, stale))).toMatchObject({
      unchanged: true,
      problem: {
        code: 'VERSION_MISMATCH',
        members: { currentVersion: 1 },
        options: { headers: { etag: '"1"' } },
      },
    });
  });

  test('the wrong state: 409 that says what is possible, before a missing comment', async () => {
    await storeOrderIn(database, 'R-4', 100);
    expect(await refusal('R-4', () => transition('R-4', 'REJECT', actors.buyer))).toMatchObject({
      unchanged: true,
      problem: {
        code: 'TRANSITION_NOT_ALLOWED',
        members: { currentStatusId: 100, currentStatus: 'New', allowedActions: ['CANCEL'] },
      },
    });
  });

  test.each([200, 300, 600] satisfies StatusId[])('reply fields are locked in %i', async (statusId) => {
    const poNumber = `R-5-${statusId}`;
    await storeOrderIn(database, poNumber, statusId);
    expect(
      await refusal(poNumber, () =>
        patchHeader(poNumber, { vendor_reply_factory: 'X', container_number: 'Y' }, actors.acme),
      ),
    ).toMatchObject({ unchanged: true, problem: { code: 'PO_NOT_EDITABLE', members: { currentStatusId: statusId } } });
  });

  test('a missing comment: 422', async () => {
    await storeOrderIn(database, 'R-6', 200);
    expect(await refusal('R-6', () => transition('R-6', 'REJECT', actors.buyer))).toMatchObject({
      unchanged: true,
      problem: { code: 'COMMENT_REQUIRED' },
    });
  });
});

describe('races for one order', () => {
  test('of twenty SUBMITs exactly one wins; the others are told the state', async () => {
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

  test('buyer and vendor at once: one of APPROVE and RECALL wins', async () => {
    await storeOrderIn(database, 'RACE-2', 200);
    const outcomes = await Promise.allSettled([
      transition('RACE-2', 'APPROVE', actors.buyer, { ifMatch: '"1"' }),
      transition('RACE-2', 'RECALL', actors.acme, { ifMatch: '"1"' }),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await traces('RACE-2')).toMatchObject([{ version: 2, sequence: 2 }]);
  });

  test('edits of different rows at once are all kept', async () => {
    const { cells } = await storeOrder(database, exampleOrder('RACE-3'));
    await Promise.all(
      cells.map(({ rowHash }, index) => patchLines('RACE-3', [{ rowHash, vendorReplyQty: index + 1 }], actors.acme)),
    );
    const rows = await database.inspect(
      `SELECT vendor_reply_qty FROM cells WHERE order_id = (SELECT id FROM purchase_orders WHERE po_number = 'RACE-3')
        ORDER BY position`,
    );
    expect(rows.map((row) => row.vendor_reply_qty as number)).toEqual([1, 2, 3]);
    expect(await traces('RACE-3')).toMatchObject([{ version: 4 }]);
    const outbox = await database.inspect(`SELECT version FROM outbox WHERE key = 'RACE-3' ORDER BY position`);
    expect(outbox.map((row) => row.version as number)).toEqual([1, 2, 3, 4]);
  });
});
