import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { type ImportResult, type ImportTable, PATTERNS } from '@po/contracts';
import { importTable } from '../fixtures/import-table.js';
import { type Reply, type RpcContext, serializeBody } from '@po/messaging';
import { actors } from '@po/testing/actors';
import {
  contextOf,
  exampleOrder,
  ordersDatabaseForTests,
  storeOrder,
  storeOrderIn,
  storedLines,
} from '../fixtures/orders-database.js';
import { writesTo } from '../fixtures/writes.js';

const database = ordersDatabaseForTests();

const { patchLines, transition, traces } = writesTo(database);
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

type Rows = [rowHash: string, qty: string | number | null, price: string | number | null][];
const tableOf = (rows: Rows): ImportTable =>
  importTable({ rowHash: 'Row ID', vendorReplyQty: 'Reply Qty', vendorReplyUnitPrice: 'Reply Price' }, rows);

const resultOf = (reply: Reply<ImportResult>) => JSON.parse(String(serializeBody(reply))) as ImportResult;

const importRows = (
  poRef: string,
  rows: Rows,
  actor: RpcContext['actor'] = actors.acme,
  more: Partial<RpcContext> = {},
) =>
  database.service.importLines(
    { poRef, file: sha256(JSON.stringify(rows)), table: tableOf(rows) },
    contextOf(actor, PATTERNS.importLines.type, more),
  );
const preview = (poRef: string, rows: Rows, actor: RpcContext['actor'] = actors.acme, more: Partial<RpcContext> = {}) =>
  database.queries.previewImport({ poRef, table: tableOf(rows) }, contextOf(actor, PATTERNS.previewImport.type, more));

/** Stores an order of two navy rows and a black one. Returns their hashes. */
async function stored(poNumber: string) {
  const { lines } = await storeOrder(database, exampleOrder(poNumber));
  return lines.map(({ rowHash }) => rowHash) as [string, string, string];
}

describe('an import', () => {
  test('is one change with one version, one outbox row and no history entry, and returns its changes', async () => {
    const [navyM, navyL, black] = await stored('I-1');
    const rows: Rows = [
      [navyM, 90, '11.5'],
      [navyL, null, null],
      [black, 'clear', null],
    ];
    const dry = await preview('I-1', rows);
    const [before] = await traces('I-1');
    const reply = await importRows('I-1', rows);
    const [after] = await traces('I-1');
    expect(reply).toMatchObject({ status: 200, headers: { etag: '"2"' } });
    const navy = { code: 'TEE01-NVY', style: 'TEE01', color: 'NVY' };
    const changes = [
      { rowHash: navyM, ...navy, size: 'M', field: 'vendorReplyQty', from: null, to: 90 },
      { rowHash: navyM, ...navy, size: 'M', field: 'vendorReplyUnitPrice', from: null, to: 11.5 },
      { rowHash: navyL, ...navy, size: 'L', field: 'vendorReplyUnitPrice', from: null, to: 11.5 },
    ];
    expect(resultOf(reply)).toEqual({ applied: true, rows: 3, changes, errors: [] });
    expect(resultOf(dry)).toEqual({ applied: false, rows: 3, changes, errors: [] });
    expect(dry.headers).toEqual({ etag: '"1"' });
    expect(before).toMatchObject({ version: 1, entries: '1', outbox: '1' });
    expect(after).toMatchObject({ version: 2, entries: '1', outbox: '2' });
    const [line] = await storedLines(database, 'I-1');
    expect(line).toMatchObject({ qty: { reply: 90, edited: true }, price: { reply: 115_000n } });
  });

  test('of the stored values changes nothing, and the version stays', async () => {
    const [navyM, , black] = await stored('I-2');
    await patchLines('I-2', [{ rowHash: navyM, vendorReplyQty: 5, vendorReplyUnitPrice: 9 }], actors.acme);
    const before = await traces('I-2');
    const reply = await importRows('I-2', [
      [navyM, '5', '9.0000'],
      [black, null, null],
    ]);
    expect([reply.headers, resultOf(reply)]).toEqual([
      { etag: '"2"' },
      { applied: true, rows: 2, changes: [], errors: [] },
    ]);
    expect(await traces('I-2')).toEqual(before);
  });

  test('with errors changes nothing, and a dry run reports the same errors', async () => {
    const [navyM, navyL] = await stored('I-3');
    const rows: Rows = [
      [navyM, 90, 11],
      [navyL, 1.5, 12],
      ['unknown', 1, null],
    ];
    const before = await traces('I-3');
    const dry = resultOf(await preview('I-3', rows));
    expect(dry).toMatchObject({ applied: false, rows: 3, changes: [] });
    expect(dry.errors.map(({ row, column, code }) => [row, column, code])).toEqual([
      [3, 'Reply Qty', 'INVALID_VALUE'],
      [3, 'Reply Price', 'PRICES_DIFFER'],
      [4, 'Row ID', 'UNKNOWN_ROW'],
    ]);
    await expect(importRows('I-3', rows)).rejects.toMatchObject({
      code: 'IMPORT_INVALID',
      status: 422,
      members: { errors: dry.errors },
    });
    expect(await traces('I-3')).toEqual(before);
  });

  test.each<[string, RpcContext['actor'], Partial<RpcContext>, string]>([
    ['by another vendor', actors.bolt, {}, 'PO_NOT_FOUND'],
    ['by a buyer', actors.buyer, { ifMatch: '"9"' }, 'ROLE_NOT_ALLOWED'],
    ['for another version', actors.acme, { ifMatch: '"9"' }, 'VERSION_MISMATCH'],
    ['into a locked order', actors.acme, {}, 'PO_NOT_EDITABLE'],
  ])('%s is refused before its values are checked, and so is a dry run', async (what, actor, more, code) => {
    const poNumber = `I-${what.replaceAll(' ', '-')}`.toUpperCase();
    await storeOrderIn(database, poNumber, what === 'into a locked order' ? 200 : 100);
    const before = await traces(poNumber);
    for (const ask of [importRows, preview]) {
      await expect(ask(poNumber, [['unknown', 'x', 'y']], actor, more)).rejects.toMatchObject({ code });
    }
    expect(await traces(poNumber)).toEqual(before);
  });

  test('is refused before its file arrives if the caller can never import, whatever the status', async () => {
    await storeOrderIn(database, 'I-CHECK', 200);
    const check = (actor: RpcContext['actor']) =>
      database.queries.checkImport(
        { poRef: 'I-CHECK' },
        contextOf(actor, PATTERNS.checkImport.type, { ifMatch: '"9"' }),
      );
    await expect(check(actors.bolt)).rejects.toMatchObject({ code: 'PO_NOT_FOUND' });
    for (const actor of [actors.buyer, actors.viewer]) {
      await expect(check(actor)).rejects.toMatchObject({ code: 'ROLE_NOT_ALLOWED' });
    }
    // The order is locked and has another version, but a replay of an earlier import must stay possible.
    expect(await check(actors.acme)).toMatchObject({ status: 200 });
  });

  test('into a locked order is refused with the locked fields, which are the columns of the file', async () => {
    await storeOrderIn(database, 'I-LOCKED', 300);
    const { columns, ...table } = tableOf([]);
    const only = {
      ...table,
      columns: { rowHash: columns.rowHash, vendorReplyQty: columns.vendorReplyQty } as typeof columns,
    };
    const context = contextOf(actors.acme, PATTERNS.previewImport.type);
    await expect(database.queries.previewImport({ poRef: 'I-LOCKED', table: only }, context)).rejects.toMatchObject({
      code: 'PO_NOT_EDITABLE',
      members: { fields: ['vendorReplyQty'], currentStatusId: 300 },
    });
  });
});

describe('the idempotency key of an import', () => {
  const key = { idempotencyKey: 'k-1', idempotencyOrigin: 'client' } as const;

  test("is bound to the file's bytes, replays even after the order is locked, and is not used by a dry run", async () => {
    const [navyM] = await stored('I-KEY');
    const rows: Rows = [[navyM, 90, null]];
    await preview('I-KEY', [[navyM, 80, null]], actors.acme, key);
    const first = await importRows('I-KEY', rows, actors.acme, key);
    await transition('I-KEY', 'SUBMIT', actors.acme);
    const before = await traces('I-KEY');
    const again = await importRows('I-KEY', rows, actors.acme, key);
    expect([again.headers['idempotency-replayed'], String(serializeBody(again))]).toEqual([
      'true',
      String(serializeBody(first)),
    ]);
    await expect(importRows('I-KEY', [[navyM, 91, null]], actors.acme, key)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
    expect(await traces('I-KEY')).toEqual(before);
  });

  test('may be used again after a refusal', async () => {
    const [navyM] = await stored('I-FREE');
    await expect(importRows('I-FREE', [[navyM, 'x', null]], actors.acme, key)).rejects.toMatchObject({
      code: 'IMPORT_INVALID',
    });
    expect(resultOf(await importRows('I-FREE', [[navyM, 3, null]], actors.acme, key)).changes).toHaveLength(1);
  });
});
