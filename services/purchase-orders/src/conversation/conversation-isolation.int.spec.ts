import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Actor, type Message, ProblemError, problemDocument } from '@po/contracts';
import { actors } from '@po/testing/actors';
import pg from 'pg';
import { type Conversation, conversationOver } from '../fixtures/conversation.js';
import {
  type OrdersDatabase,
  exampleOrder,
  listQuery,
  ordersDatabase,
  storeOrder,
  contextOf,
} from '../fixtures/orders-database.js';

const SECRET = 'we would pay 13.40';

let database: OrdersDatabase;
let talk: Conversation;
let vendorRole: pg.Client;
let poRef: string;
let shown: Message;
let hidden: Message;

beforeAll(async () => {
  database = await ordersDatabase();
  talk = conversationOver(database);
  for (const actor of Object.values(actors)) await talk.see(actor);
  vendorRole = new pg.Client({ connectionString: database.urls.vendor });
  await vendorRole.connect();
});
afterAll(async () => {
  await vendorRole.end();
  await database.drop();
});
beforeEach(async () => {
  poRef = `I-${randomUUID().slice(0, 8).toUpperCase()}`;
  await storeOrder(database, exampleOrder(poRef));
  shown = (await talk.post(actors.buyer, poRef, { body: 'When will it ship?' })).body;
  hidden = (
    await talk.post(actors.admin, poRef, { body: SECRET, visibility: 'internal', mentions: [actors.viewer.sub] })
  ).body;
});

const refusalOf = async (answer: Promise<unknown>) => {
  const error = await answer.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ProblemError)) throw new Error('the request was not refused');
  return problemDocument(error, { locale: 'en', instance: '/', requestId: 'r' });
};

describe('for a vendor, an internal message', () => {
  test('is neither listed nor counted, even in a page before that message', async () => {
    expect(await talk.list(actors.acme, poRef)).toEqual({ items: [shown], total: 1 });
    expect(await talk.list(actors.acme, poRef, { before: hidden.id })).toEqual({ items: [shown], total: 1 });
    expect(await talk.list(actors.viewer, poRef)).toEqual({ items: [hidden, shown], total: 2 });
  });

  test('gets the same refusal as an unknown message and a message of another order', async () => {
    const other = `${poRef}-2`;
    await storeOrder(database, exampleOrder(other));
    const elsewhere = (await talk.post(actors.buyer, other, { body: 'x' })).body;
    const unknown = await refusalOf(talk.get(actors.acme, poRef, randomUUID()));
    expect(unknown.code).toBe('MESSAGE_NOT_FOUND');
    for (const { id } of [hidden, elsewhere])
      expect(await refusalOf(talk.get(actors.acme, poRef, id))).toEqual(unknown);
    expect(await talk.get(actors.viewer, poRef, hidden.id)).toEqual(hidden);
  });

  test('does not make its author or mentioned users participants, or allow mentioning them', async () => {
    const users = (await talk.participants(actors.acme, poRef)).map(({ userId }) => userId);
    expect(users.toSorted()).toEqual([actors.acme.sub, actors.buyer.sub].toSorted());
    expect(await talk.participants(actors.acme, poRef, 'Sam')).toEqual([]);
    const nobody = await refusalOf(talk.post(actors.acme, poRef, { body: 'x', mentions: ['u-nobody'] }));
    for (const { sub } of [actors.admin, actors.viewer, actors.bolt]) {
      expect(await refusalOf(talk.post(actors.acme, poRef, { body: 'x', mentions: [sub] }))).toEqual(nobody);
    }
  });

  test('is found by no search and does not appear in the history', async () => {
    const context = contextOf(actors.acme, 'x');
    const found = await database.queries.list(listQuery({ search: '13.40' }), context);
    expect(found.body).toMatchObject({ data: [] });
    expect(await database.queries.history({ poRef }, context)).not.toMatchObject({
      body: { bytes: expect.stringContaining(SECRET) },
    });
  });
});

describe('another vendor', () => {
  test.each([
    ['list', () => talk.list(actors.bolt, poRef)],
    ['get', () => talk.get(actors.bolt, poRef, shown.id)],
    ['participants', () => talk.participants(actors.bolt, poRef)],
    ['post', () => talk.post(actors.bolt, poRef, { body: 'x' })],
  ])('gets 404 for %s, as for an unknown order', async (_name, ask) => {
    expect(await refusalOf(ask())).toMatchObject({ code: 'PO_NOT_FOUND', status: 404 });
  });

  test('has no users among the participants of an order on which they never acted', async () => {
    const ask = (actor: Actor) => talk.participants(actor, poRef, 'Souza');
    for (const actor of [actors.acme, actors.buyer, actors.viewer]) expect(await ask(actor)).toEqual([]);
  });
});

describe('the database role of vendors', () => {
  const asVendor = async (vendor: string | null, sql: string, values: unknown[] = []) => {
    await vendorRole.query('BEGIN');
    try {
      if (vendor !== null) await vendorRole.query(`SELECT set_config('app.vendor', $1, true)`, [vendor]);
      return (await vendorRole.query(sql, values)).rows as unknown[];
    } finally {
      await vendorRole.query('ROLLBACK');
    }
  };
  const insert = (vendor: string, visibility: string) =>
    asVendor(
      vendor,
      `INSERT INTO messages SELECT gen_random_uuid(), o.id, o.po_number, 'ACME', $2, 'x', '[]', '[]', 'u', NULL, 'VENDOR', now()
         FROM (SELECT 1 AS id, 'x' AS po_number) o WHERE $1 = $1`,
      [poRef, visibility],
    );

  test('reads only messages to both sides of its own orders, and only users of its own vendor or of internal roles', async () => {
    expect(await asVendor('ACME', 'SELECT id FROM messages WHERE po_number = $1', [poRef])).toEqual([{ id: shown.id }]);
    expect(await asVendor('BOLT', 'SELECT id FROM messages WHERE po_number = $1', [poRef])).toEqual([]);
    for (const nobody of [null, '']) {
      expect(await asVendor(nobody, 'SELECT 1 FROM messages')).toEqual([]);
      expect(await asVendor(nobody, 'SELECT 1 FROM directory')).toEqual([]);
    }
    expect(await asVendor('BOLT', `SELECT DISTINCT vendor_code FROM directory WHERE role = 'VENDOR'`)).toEqual([
      { vendor_code: 'BOLT' },
    ]);
  });

  test('cannot write internal messages or messages of another vendor, and cannot change or delete anything', async () => {
    await expect(insert('ACME', 'internal')).rejects.toThrow('row-level security');
    await expect(insert('BOLT', 'all')).rejects.toThrow('row-level security');
    await expect(asVendor('ACME', `UPDATE messages SET body = 'x'`)).rejects.toThrow('permission denied');
    await expect(asVendor('ACME', 'DELETE FROM messages')).rejects.toThrow('permission denied');
    await expect(asVendor('ACME', `UPDATE directory SET name = 'x'`)).rejects.toThrow('permission denied');
  });
});
