import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { StatusId } from '@po/contracts';
import { actors } from '@po/testing/actors';
import {
  type OrdersDatabase,
  exampleOrder,
  ordersDatabase,
  storeOrder,
  storeOrderIn,
} from '../fixtures/orders-database.js';
import { writesTo } from '../fixtures/writes.js';

let database: OrdersDatabase;
beforeAll(async () => {
  database = await ordersDatabase({ commentRequired: 'REJECT' });
});
afterAll(() => database.drop());

const { transition, patchHeader, patchLines, traces } = writesTo(() => database);

/** The refusal of an attempt, and whether the stored order is the same as before. */
async function refusal(poNumber: string, attempt: () => Promise<unknown>) {
  const before = await traces(poNumber);
  const problem: unknown = await attempt().then(
    () => null,
    (error: unknown) => error,
  );
  return { problem, unchanged: isDeepStrictEqual(await traces(poNumber), before) };
}

describe('refusals change nothing and follow the documented sequence:', () => {
  const stale = { ifMatch: '"99"' };

  test('an unknown order and an order of another vendor are 404, before all other checks', async () => {
    await storeOrder(database, exampleOrder('R-1'));
    await expect(transition('R-0', 'APPROVE', actors.acme, stale)).rejects.toMatchObject({ code: 'PO_NOT_FOUND' });
    expect(await refusal('R-1', () => transition('R-1', 'APPROVE', actors.bolt, stale))).toMatchObject({
      unchanged: true,
      problem: { code: 'PO_NOT_FOUND', members: {} },
    });
  });

  test('a role that is never allowed is 403, before a stale version', async () => {
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

  test('a stale version is 412 with the current version, before the status', async () => {
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

  test('a wrong status is 409 with the allowed actions, before a missing comment', async () => {
    await storeOrderIn(database, 'R-4', 100);
    expect(await refusal('R-4', () => transition('R-4', 'REJECT', actors.buyer))).toMatchObject({
      unchanged: true,
      problem: {
        code: 'TRANSITION_NOT_ALLOWED',
        members: { currentStatusId: 100, currentStatus: 'New', allowedActions: ['CANCEL'] },
      },
    });
  });

  test.each([200, 300, 600] satisfies StatusId[])('reply fields are locked in status %i', async (statusId) => {
    const poNumber = `R-5-${statusId}`;
    await storeOrderIn(database, poNumber, statusId);
    expect(
      await refusal(poNumber, () =>
        patchHeader(poNumber, { vendor_reply_factory: 'X', container_number: 'Y' }, actors.acme),
      ),
    ).toMatchObject({ unchanged: true, problem: { code: 'PO_NOT_EDITABLE', members: { currentStatusId: statusId } } });
  });

  test('a missing comment is 422', async () => {
    await storeOrderIn(database, 'R-6', 200);
    expect(await refusal('R-6', () => transition('R-6', 'REJECT', actors.buyer))).toMatchObject({
      unchanged: true,
      problem: { code: 'COMMENT_REQUIRED' },
    });
  });

  test('an edit with one unknown row is 422, and no row changes', async () => {
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
