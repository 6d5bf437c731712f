import { beforeAll, describe, expect, test } from '@jest/globals';
import { type HistoryEntry, PATTERNS, PurchaseOrderDetail } from '@po/contracts';
import { type Reply, serializeBody } from '@po/messaging';
import { actors } from '@po/testing/actors';
import {
  contextOf,
  exampleLine,
  exampleOrder,
  ordersDatabaseForTests,
  storeOrder,
} from '../fixtures/orders-database.js';

const database = ordersDatabaseForTests();
beforeAll(async () => {
  await storeOrder(database, exampleOrder('READ-1'));
});

const context = (actor: (typeof actors)[keyof typeof actors], type: string, ifNoneMatch: string | null = null) =>
  contextOf(actor, type, { ifNoneMatch, method: 'GET' });
const detail = (
  actor: (typeof actors)[keyof typeof actors],
  includeLineItems = false,
  ifNoneMatch: string | null = null,
) => database.queries.detail({ poRef: 'READ-1', includeLineItems }, context(actor, PATTERNS.detail.type, ifNoneMatch));

const bodyOf = (reply: Reply): unknown => JSON.parse(String(serializeBody(reply)));

describe('the detail', () => {
  test('has every documented key, and the actions and editable fields of the caller', async () => {
    const { status, headers, body } = await detail(actors.acme);
    expect([status, headers]).toEqual([200, { etag: '"1"', 'cache-control': 'private, no-cache' }]);
    expect(PurchaseOrderDetail.strict().parse(body)).toMatchObject({
      poRef: 'READ-1',
      sourceRevision: 1,
      buyerEmail: 'buyer@example.com',
      remarks: null,
      agreedAt: null,
      availableActions: [{ action: 'SUBMIT', fromStatusId: 100, toStatusId: 200, requiresComment: false }],
    });
    expect((body as PurchaseOrderDetail).editableFields).toHaveLength(7);
    const buyers = (await detail(actors.buyer)).body as PurchaseOrderDetail;
    expect(buyers.editableFields).toEqual([]);
    expect(buyers.availableActions.map(({ action }) => action)).toEqual(['CANCEL']);
  });

  test('embeds line items on request', async () => {
    const whole = PurchaseOrderDetail.strict().parse(bodyOf(await detail(actors.buyer, true)));
    const { lineItems, ...rest } = whole;
    const { body: alone } = await detail(actors.buyer);
    expect(rest).toEqual(alone);
    const reply = await database.queries.lineItems({ poRef: 'READ-1' }, context(actors.buyer, PATTERNS.lineItems.type));
    expect(bodyOf(reply)).toEqual(lineItems);
    expect(reply.headers.etag).toBe('"1"');
    expect(lineItems).toMatchObject([
      {
        code: 'TEE01-NVY',
        unitPrice: 12.5,
        sizeOrder: ['M', 'L'],
        sizes: { M: { qty: 100, lineId: 'L1' }, L: { qty: 50 } },
        totalAmount: 1875,
      },
      { code: 'HOOD7-BLK', totalAmount: 666.67 },
    ]);
  });

  test('of a known version is 304 without a body, and so are line items and diff', async () => {
    const known = await detail(actors.buyer, false, '"1"');
    expect(known).toMatchObject({ status: 304, headers: { etag: '"1"' } });
    expect(serializeBody(known)).toBe('');
    expect(await detail(actors.acme, true, '"0"')).toMatchObject({ status: 200 });
    const lines = database.queries.lineItems({ poRef: 'READ-1' }, context(actors.acme, PATTERNS.lineItems.type, '"1"'));
    expect(await lines).toMatchObject({ status: 304 });
    const diff = (ifNoneMatch: string) =>
      database.queries.diff({ poRef: 'READ-1' }, context(actors.acme, PATTERNS.diff.type, ifNoneMatch));
    expect(await diff('"1"')).toMatchObject({ status: 304, headers: { etag: '"1"' } });
    expect(await diff('"0"')).toMatchObject({ status: 200, headers: { etag: '"1"' }, body: { header: [], lines: [] } });
  });
});

test('the history is sorted newest first, in both languages, with the system as actor of the import', async () => {
  await storeOrder(database, exampleOrder('READ-2'));
  await database.service.transition(
    { poRef: 'READ-2', request: { action: 'SUBMIT', comment: 'ok' } },
    contextOf(actors.acme, PATTERNS.transition.type),
  );
  const reply = await database.queries.history({ poRef: 'READ-2' }, context(actors.viewer, PATTERNS.history.type));
  expect(bodyOf(reply)).toMatchObject([
    {
      action: 'SUBMIT',
      actionLabel: 'Submit',
      actionLabelZh: '提交',
      fromStatus: 'New',
      toStatusZh: '待审批',
      comment: 'ok',
      actorId: actors.acme.sub,
      actorRole: 'VENDOR',
      changes: null,
    },
    {
      action: 'IMPORT',
      fromStatusId: null,
      fromStatus: null,
      fromStatusZh: null,
      toStatusId: 100,
      actorId: null,
      actorName: null,
      actorRole: 'SYSTEM',
    },
  ]);
});

describe('a history', () => {
  const historyOf = async (poRef: string) =>
    JSON.parse(
      String(serializeBody(await database.queries.history({ poRef }, context(actors.buyer, PATTERNS.history.type)))),
    ) as HistoryEntry[];
  /** Adds an entry; `changes` is an SQL expression. */
  const addEntry = (poRef: string, changes: string) =>
    database.databases.internal.connectionPool.query(
      `INSERT INTO history (id, order_id, po_number, vendor_code, sequence, po_version, action, to_status_id, actor_role,
                            occurred_at, changes)
       SELECT gen_random_uuid(), order_id, po_number, vendor_code, sequence + 1, po_version, 'SOURCE_UPDATE', 100, 'SYSTEM',
              now(), ${changes} FROM history WHERE po_number = $1 ORDER BY sequence DESC LIMIT 1`,
      [poRef],
    );

  /** Adds entries with the longest comments. */
  const addComments = (poRef: string, count: number) =>
    database.databases.internal.connectionPool.query(
      `INSERT INTO history (id, order_id, po_number, vendor_code, sequence, po_version, action, to_status_id, actor_role,
                            occurred_at, comment)
       SELECT gen_random_uuid(), order_id, po_number, vendor_code, sequence + n, po_version, 'SUBMIT', 200, 'VENDOR',
              now(), repeat('😀', 2000) FROM history, generate_series(1, $2::integer) AS n WHERE po_number = $1`,
      [poRef, count],
    );

  test('has its changes exactly as they were stored', async () => {
    await storeOrder(database, exampleOrder('READ-3'));
    const changes = { header: [{ field: 'factory', from: 'Ningbo "2"', to: '宁波 3' }], lines: [] };
    await addEntry('READ-3', `'${JSON.stringify(changes)}'::json`);
    expect((await historyOf('READ-3')).map((entry) => entry.changes)).toEqual([changes, null]);
  });

  test('with more changes than a response may have omits the oldest and marks them', async () => {
    await storeOrder(database, exampleOrder('READ-4'));
    const lines = '(SELECT json_agg(md5(n::text)) FROM generate_series(1, 40000) AS n)';
    for (let entries = 0; entries < 4; entries += 1) await addEntry('READ-4', `json_build_object('lines', ${lines})`);
    const shown = (await historyOf('READ-4')).map(({ changes, changesOmitted }) => [
      changes?.lines.length,
      changesOmitted,
    ]);
    const omitted = [undefined, true];
    const whole = [40_000, undefined];
    // The import has no changes.
    expect(shown).toEqual([whole, whole, omitted, omitted, [undefined, undefined]]);
  });

  test('with more comments than a response may have omits the oldest and marks them', async () => {
    await storeOrder(database, exampleOrder('READ-6'));
    await addComments('READ-6', 600);
    const history = await historyOf('READ-6');
    expect(history).toHaveLength(601);
    // Of 8,000 bytes each; the import has no comment.
    const shown = Math.floor((4 * 2 ** 20) / 8_000);
    expect(history.map(({ comment, commentOmitted }) => [comment?.length, commentOmitted])).toEqual([
      ...Array(shown).fill([4_000, undefined]),
      ...Array(600 - shown).fill([undefined, true]),
      [undefined, undefined],
    ]);
  });

  test('reserves memory for its response if it is large', async () => {
    const reservedFor = async (poRef: string) => {
      const reserved: number[] = [];
      const reserve = (bytes: number) => Promise.resolve(void reserved.push(bytes));
      const called = { ...context(actors.buyer, PATTERNS.history.type), reserve };
      const { length } = serializeBody(await database.queries.history({ poRef }, called));
      return { reserved, length };
    };
    const large = await reservedFor('READ-4');
    expect(large.reserved).toEqual([expect.any(Number)]);
    expect(large.reserved[0]).toBeGreaterThan(large.length / 2);
    await storeOrder(database, exampleOrder('READ-5'));
    expect((await reservedFor('READ-5')).reserved).toEqual([]);
    await addComments('READ-5', 100);
    expect((await reservedFor('READ-5')).reserved).toEqual([5 * 800_000]);
  });
});

test('a diff and a preview of an import into an order with many lines reserve memory', async () => {
  const reserved: number[] = [];
  const reserve = (bytes: number) => Promise.resolve(void reserved.push(bytes));
  const read = async (poRef: string) => {
    const table = { columns: {}, repeated: [], rows: [], tooMany: null };
    await database.queries.diff({ poRef }, { ...context(actors.acme, PATTERNS.diff.type), reserve });
    await database.queries.previewImport(
      { poRef, table },
      { ...context(actors.acme, PATTERNS.previewImport.type), reserve },
    );
  };
  await read('READ-1');
  expect(reserved).toEqual([]);
  const lines = Array.from({ length: 200 }, (_, nth) => exampleLine('READ-7', nth, ['A', 'A', 'NVY', `${nth}`]));
  await storeOrder(database, exampleOrder('READ-7', { lines }));
  await read('READ-7');
  expect(reserved).toEqual([80_000, 80_000]);
});

describe('lookups', () => {
  test('list the actions for a role in any letter case, and none for an unknown role or status', () => {
    const actions = (role: string, statusId = 100) => database.lookups.actions({ statusId, role });
    expect(actions('vendor')).toMatchObject({
      body: [{ action: 'SUBMIT' }],
      headers: { 'cache-control': 'private, max-age=300' },
    });
    expect([actions('nobody').body, actions('vendor', 123).body]).toEqual([[], []]);
  });

  test('return the vendor name and the permissions of the role in the profile', async () => {
    const profile = async (actor: (typeof actors)[keyof typeof actors]) =>
      (await database.lookups.profile(context(actor, PATTERNS.profile.type))).body;
    expect(await profile(actors.acme)).toEqual({
      vendorName: 'Acme Garments',
      permissions: ['SUBMIT', 'RECALL', 'MOVE_TO_PRODUCTION', 'MARK_SHIPPED'],
    });
    expect(await profile(actors.bolt)).toMatchObject({ vendorName: null });
    expect(await profile(actors.viewer)).toEqual({ vendorName: null, permissions: [] });
  });
});
