import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { type Actor, type Message, MessagePosted, PATTERNS, STATUSES } from '@po/contracts';
import { actors } from '@po/testing/actors';
import { type Conversation, conversationOver } from '../fixtures/conversation.js';
import { ConversationService } from './conversation.service.js';
import {
  contextOf,
  exampleOrder,
  ordersDatabaseForTests,
  storeOrder,
  storeOrderIn,
  storedLines,
} from '../fixtures/orders-database.js';

const POOL_SIZE = 4;
const database = ordersDatabaseForTests({ poolSize: POOL_SIZE });
let talk: Conversation;
beforeAll(async () => {
  talk = conversationOver(database);
  for (const actor of Object.values(actors)) await talk.see(actor);
});

let poRef: string;
beforeEach(async () => {
  poRef = `T-${randomUUID().slice(0, 8).toUpperCase()}`;
  await storeOrder(database, exampleOrder(poRef));
});

const published = async () => {
  const rows = await database.inspect<{ messages: { topic: string; headers: object; value: string }[] }>(
    'SELECT messages FROM outbox WHERE key = $1 ORDER BY position',
    [poRef],
  );
  return rows.flatMap(({ messages }) => messages).filter(({ topic }) => topic === 'po.messages.v1');
};
const stored = async () => {
  const [row] = await database.inspect<{ messages: number; answers: number; version: number }>(
    `SELECT (SELECT count(*)::int FROM messages WHERE po_number = $1) AS messages,
            (SELECT count(*)::int FROM command_log) AS answers, version FROM purchase_orders WHERE po_number = $1`,
    [poRef],
  );
  return row;
};

describe('a message', () => {
  test('is returned, stored and published once, and the order keeps its version', async () => {
    const [line] = await storedLines(database, poRef);
    const { rowHash, code, style, color, size } = line!;
    const { status, headers, body } = await talk.post(actors.acme, poRef, {
      body: 'Can you take M in blue?',
      rows: [rowHash],
      mentions: [actors.acme.sub],
    });
    expect([status, headers]).toEqual([201, { location: `/api/purchase-orders/${poRef}/messages/${body.id}` }]);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{14}7/),
      poRef,
      body: 'Can you take M in blue?',
      visibility: 'all',
      rows: [{ rowHash, code, style, color, size }],
      mentions: [{ userId: actors.acme.sub, name: 'Li Wei' }],
      authorId: actors.acme.sub,
      authorName: 'Li Wei',
      authorRole: 'VENDOR',
      createdAt: expect.any(String),
    });
    expect(await stored()).toMatchObject({ messages: 1, version: 1 });
    const [record, ...others] = await published();
    expect(others).toEqual([]);
    expect(record?.headers).toMatchObject({ ce_id: body.id, ce_type: 'po.message-posted.v1', ce_subject: poRef });
    expect(MessagePosted.strict().parse(JSON.parse(record!.value))).toEqual({
      ...body,
      poNumber: poRef,
      vendorCode: 'ACME',
      vendor: 'Acme Garments',
      buyerEmail: 'buyer@example.com',
      statusId: 100,
    });
    expect(await talk.get(actors.buyer, poRef, body.id)).toEqual(body);
    // A message keeps the names from the time of writing.
    await talk.see({ ...actors.acme, name: 'Wei Li' });
    expect(await talk.get(actors.buyer, poRef, body.id)).toEqual(body);
    await talk.see(actors.acme);
  });

  test.each(STATUSES.map(({ statusId }) => statusId))(
    'can be written in status %i by every role except VIEWER',
    async (statusId) => {
      const own = `${poRef}-S`;
      await storeOrderIn(database, own, statusId);
      for (const actor of [actors.acme, actors.buyer, actors.admin]) {
        expect((await talk.post(actor, own, { body: 'x' })).status).toBe(201);
      }
      await expect(talk.post(actors.viewer, own, { body: 'x' })).rejects.toMatchObject({ code: 'ROLE_NOT_ALLOWED' });
      expect((await talk.list(actors.viewer, own)).total).toBe(3);
    },
  );

  test('with an idempotency key is posted once, and a repetition gets the same answer byte for byte', async () => {
    const key = randomUUID();
    const first = await talk.post(actors.buyer, poRef, { body: 'once' }, key);
    const again = await talk.post(actors.buyer, poRef, { body: 'once', visibility: 'all' }, key);
    expect(again).toEqual({ ...first, headers: { ...first.headers, 'idempotency-replayed': 'true' } });
    await expect(talk.post(actors.buyer, poRef, { body: 'twice' }, key)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
    });
    expect(await stored()).toMatchObject({ messages: 1 });
    expect(await published()).toHaveLength(1);
  });

  test('of a vendor is posted even while lists of buyers hold all connections of the internal role', async () => {
    const { internal } = database.databases;
    const { promise: done, resolve: release } = Promise.withResolvers<void>();
    const lists = Array.from({ length: POOL_SIZE }, () => internal.readAll(null, () => done));
    const { status } = await talk.post(actors.acme, poRef, { body: 'x' }).finally(release);
    expect(status).toBe(201);
    await Promise.all(lists);
  });

  test('may mention a user whose first call is announced a moment later', async () => {
    const user = { ...actors.buyer, sub: randomUUID() };
    // A busy machine may take longer than the wait: its clock stands still until the announcement.
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now());
    const posted = talk.post(actors.buyer, poRef, { body: 'x', mentions: [user.sub] });
    await talk.list(actors.buyer, poRef);
    await talk.see(user).finally(() => clock.mockRestore());
    expect((await posted).body.mentions).toEqual([{ userId: user.sub, name: user.name }]);
    expect(await stored()).toMatchObject({ messages: 1 });
    await talk.deleteUser(user.sub);
  });

  test('that was refused for an unknown user is refused again when it is redelivered, even if the user is known now', async () => {
    const user = { ...actors.buyer, sub: randomUUID() };
    const service = new ConversationService(database.databases, database.relay);
    const context = contextOf(actors.buyer, PATTERNS.postMessage.type);
    const request = { body: 'x', visibility: 'all' as const, rows: [], mentions: [user.sub] };
    const post = () => service.post({ poRef, request }, context);
    await expect(post()).rejects.toMatchObject({ code: 'USER_NOT_FOUND' });
    await talk.see(user);
    await expect(post()).rejects.toMatchObject({ code: 'USER_NOT_FOUND' });
    expect(await stored()).toMatchObject({ messages: 0 });
    await talk.deleteUser(user.sub);
  });

  test.each([
    ['with an unknown line', { rows: ['0'.repeat(32)] }, actors.buyer, 'ROW_NOT_FOUND'],
    ['with an overlong row hash', { rows: ['0'.repeat(201)] }, actors.buyer, 'ROW_NOT_FOUND'],
    ['with an overlong user id', { mentions: ['0'.repeat(201)] }, actors.buyer, 'USER_NOT_FOUND'],
    ['with an unknown user', { mentions: ['nobody'] }, actors.buyer, 'USER_NOT_FOUND'],
    ['of a vendor to internal readers', { visibility: 'internal' }, actors.acme, 'ROLE_NOT_ALLOWED'],
    ['of another vendor', {}, actors.bolt, 'PO_NOT_FOUND'],
  ] as const)('%s is refused and changes nothing', async (_case, fields, actor, code) => {
    const before = await stored();
    await expect(talk.post(actor, poRef, { body: 'x', ...fields } as never)).rejects.toMatchObject({ code });
    expect(await stored()).toEqual(before);
    expect(await published()).toEqual([]);
  });
});

describe('the list of messages', () => {
  test('is sorted newest first, has pages, and counts all messages', async () => {
    const posted: Message[] = [];
    // Concurrently: ids follow the order in which the messages are stored.
    await Promise.all(
      Array.from({ length: 7 }, async (_, index) =>
        posted.push((await talk.post(actors.buyer, poRef, { body: `${index}` })).body),
      ),
    );
    const { items, total } = await talk.list(actors.acme, poRef);
    expect(total).toBe(7);
    expect(items.map(({ id }) => id)).toEqual(
      posted
        .map(({ id }) => id)
        .toSorted()
        .toReversed(),
    );
    expect(items).toEqual(expect.arrayContaining(posted));
    expect(new Set(items.map(({ createdAt }) => createdAt)).size).toBe(7);
    const page = await talk.list(actors.acme, poRef, { limit: 3, before: items[1]!.id });
    expect(page).toEqual({ items: items.slice(2, 5), total: 7 });
    const rows = await published();
    expect(rows.map(({ value }) => (JSON.parse(value) as Message).id)).toEqual(items.map(({ id }) => id).toReversed());
  });

  test('reserves memory for a page with long texts, but not for other pages of the conversation', async () => {
    for (let nth = 0; nth < 6; nth += 1) await talk.post(actors.buyer, poRef, { body: '😀'.repeat(4_000) });
    await talk.post(actors.buyer, poRef, { body: 'short' });
    const reserved: number[] = [];
    const reserve = (bytes: number) => Promise.resolve(void reserved.push(bytes));
    expect((await talk.list(actors.acme, poRef, { limit: 4 }, { reserve })).items).toHaveLength(4);
    expect(reserved).toEqual([]);
    expect(await talk.list(actors.acme, poRef, {}, { reserve })).toMatchObject({ items: { length: 7 }, total: 7 });
    expect(reserved).toEqual([3 * (6 * 16_000 + 5)]);
  });

  test('is in the order of writing for every visibility, even if the clocks of replicas differ', async () => {
    const first = (await talk.post(actors.buyer, poRef, { body: 'first', visibility: 'internal' })).body;
    expect(
      await database.inspect('SELECT last_message_at AS at FROM purchase_orders WHERE po_number = $1', [poRef]),
    ).toEqual([{ at: new Date(first.createdAt) }]);
    await database.inspect(
      `UPDATE purchase_orders SET last_message_at = now() + interval '5 seconds' WHERE po_number = $1 RETURNING id`,
      [poRef],
    );
    const second = (await talk.post(actors.acme, poRef, { body: 'second' })).body;
    const third = (await talk.post(actors.buyer, poRef, { body: 'third' })).body;
    const { items } = await talk.list(actors.buyer, poRef);
    expect(items.map(({ id }) => id)).toEqual([third.id, second.id, first.id]);
    const times = items.map(({ createdAt }) => createdAt);
    expect(times).toEqual(times.toSorted().toReversed());
  });

  test('is empty for an order without messages', async () => {
    expect(await talk.list(actors.admin, poRef)).toEqual({ items: [], total: 0 });
  });
});

describe('participants', () => {
  const involved = async (caller: Actor, q?: string) =>
    (await talk.participants(caller, poRef, q)).map(({ userId }) => userId).toSorted();
  const INTERNAL: string[] = [actors.admin.sub, actors.buyer.sub, actors.viewer.sub].toSorted();

  test("are all users of the caller's side, and users of the other side who acted or wrote", async () => {
    expect(await involved(actors.acme)).toEqual([actors.acme.sub]);
    expect(await involved(actors.buyer)).toEqual(INTERNAL);
    await talk.post(actors.buyer, poRef, { body: 'hello' });
    expect(await involved(actors.acme)).toEqual([actors.acme.sub, actors.buyer.sub].toSorted());
    await talk.transition(actors.acme, poRef, 'SUBMIT');
    expect(await involved(actors.viewer)).toEqual([...INTERNAL, actors.acme.sub].toSorted());
    await talk.transition(actors.admin, poRef, 'APPROVE');
    expect(await involved(actors.acme)).toEqual([actors.acme.sub, actors.admin.sub, actors.buyer.sub].toSorted());
    const [first] = await talk.participants(actors.acme, poRef, 'SAM');
    expect(first).toEqual({ userId: actors.admin.sub, name: 'Sam Okafor', role: 'ADMIN', vendorCode: null });
  });

  test('are found by a substring of the name, in which every character matches literally', async () => {
    const odd = { ...actors.buyer, sub: randomUUID(), name: '100%_Zoë İnce' };
    await talk.see(odd);
    for (const q of ['%_', 'ZOË', '100%', 'inc']) expect(await involved(actors.buyer, q)).toEqual([odd.sub]);
    expect(await involved(actors.buyer, '%%')).toEqual([]);
    expect((await talk.participants(actors.buyer, poRef, undefined, 2)).length).toBe(2);
    await talk.deleteUser(odd.sub);
  });

  test('of an internal message are internal users only: a vendor who wrote cannot be mentioned', async () => {
    await talk.post(actors.acme, poRef, { body: 'hello' });
    const mention = { body: 'x', mentions: [actors.acme.sub] };
    expect((await talk.post(actors.buyer, poRef, mention)).status).toBe(201);
    await expect(talk.post(actors.buyer, poRef, { ...mention, visibility: 'internal' })).rejects.toMatchObject({
      code: 'USER_NOT_FOUND',
    });
  });

  test('exclude deleted users until they are seen again, and users who moved to another vendor', async () => {
    const user = { ...actors.acme, sub: randomUUID(), name: 'Mo' };
    await talk.see(user);
    await talk.post(user, poRef, { body: 'hello' });
    await expect(talk.deleteUser(user.sub, new Date(), actors.buyer)).rejects.toMatchObject({
      code: 'ROLE_NOT_ALLOWED',
    });
    expect(await involved(actors.buyer, 'mo')).toEqual([user.sub]);
    await talk.deleteUser(user.sub);
    expect(await involved(actors.buyer, 'mo')).toEqual([]);
    await expect(talk.post(actors.buyer, poRef, { body: 'x', mentions: [user.sub] })).rejects.toMatchObject({
      code: 'USER_NOT_FOUND',
    });
    // First a late announcement, then a new one.
    await talk.see(user, new Date(Date.now() - 60_000));
    expect(await involved(actors.buyer, 'mo')).toEqual([]);
    await talk.see(user, new Date(Date.now() + 60_000));
    expect(await involved(actors.buyer, 'mo')).toEqual([user.sub]);
    await talk.see({ ...user, vendorCode: 'BOLT' }, new Date(Date.now() + 120_000));
    expect(await involved(actors.buyer, 'mo')).toEqual([]);
    expect((await talk.list(actors.buyer, poRef)).items[0]).toMatchObject({ authorName: 'Mo' });
  });

  test('are described by their newest token, even if an older one is used later, until they are deleted', async () => {
    const user = { ...actors.acme, sub: randomUUID(), name: 'Lu' };
    const minutes = (count: number) => new Date(Date.now() + count * 60_000);
    await talk.see(user, minutes(1), '2026-03-02T08:00:02.000Z');
    await talk.see({ ...user, vendorCode: 'BOLT' }, minutes(2), '2026-03-02T08:00:01.000Z');
    await talk.post(user, poRef, { body: 'hello' });
    expect(await involved(actors.buyer, 'lu')).toEqual([user.sub]);
    await talk.see({ ...user, vendorCode: 'BOLT' }, minutes(0), '2026-03-02T08:00:03.000Z');
    expect(await involved(actors.buyer, 'lu')).toEqual([]);
    await talk.deleteUser(user.sub, minutes(3));
    await talk.see(user, minutes(4), '2026-03-02T08:00:01.000Z');
    expect(await involved(actors.buyer, 'lu')).toEqual([user.sub]);
  });
});
