import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { type Action, type Actor, PATTERNS } from '@po/contracts';
import { actors } from '@po/testing/actors';
import { contextOf, ordersDatabaseForTests, storeOrderIn } from '../fixtures/orders-database.js';

const database = ordersDatabaseForTests();

const batch = (...orders: [poRef: string, action: Action][]) => ({
  items: orders.map(([poRef, action]) => ({ poRef, action })),
});
const begin = (request: ReturnType<typeof batch>, idempotencyKey: string, actor: Actor = actors.buyer) =>
  database.service.beginTransitions(
    { request },
    contextOf(actor, PATTERNS.beginTransitions.type, { idempotencyKey, idempotencyOrigin: 'client' }),
  );
const rows = async () => {
  const [row] = await database.inspect<Record<string, string>>(
    `SELECT (SELECT count(*) FROM command_log) AS answers, (SELECT count(*) FROM history) AS history,
            (SELECT count(*) FROM outbox) AS outbox`,
  );
  return row;
};

describe('the idempotency key of a batch', () => {
  test('is bound to its body: the same batch may begin again, another one is refused, and no order changes', async () => {
    await storeOrderIn(database, 'B-1', 200);
    const before = await rows();
    const key = randomUUID();
    const first = await begin(batch(['B-1', 'APPROVE'], ['B-2', 'REJECT']), key);
    expect(first).toMatchObject({ status: 200, body: { bytes: '{"success":true}' } });
    expect(first.headers).toEqual({});
    const again = await begin(batch(['B-1', 'APPROVE'], ['B-2', 'REJECT']), key);
    expect([again.status, again.headers]).toEqual([200, { 'idempotency-replayed': 'true' }]);
    for (const other of [batch(['B-1', 'APPROVE']), batch(['B-2', 'REJECT'], ['B-1', 'APPROVE'])]) {
      await expect(begin(other, key)).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    }
    expect(await rows()).toEqual({ ...before, answers: String(Number(before?.answers) + 1) });
  });

  test('belongs to one user and role, and is separate from the keys of single transitions', async () => {
    await storeOrderIn(database, 'B-3', 200);
    const key = randomUUID();
    await begin(batch(['B-3', 'APPROVE']), key);
    await begin(batch(['B-3', 'REJECT']), key, { ...actors.buyer, sub: 'another-buyer' });
    await begin(batch(['B-3', 'RECALL']), key, actors.acme);
    const context = contextOf(actors.buyer, PATTERNS.transition.type, { idempotencyKey: key });
    const reply = await database.service.transition({ poRef: 'B-3', request: { action: 'CANCEL' } }, context);
    expect([reply.status, reply.headers['idempotency-replayed']]).toEqual([200, undefined]);
  });

  test('is not bound for a role without any transitions', async () => {
    const before = await rows();
    const key = randomUUID();
    await expect(begin(batch(['B-1', 'APPROVE']), key, actors.viewer)).rejects.toMatchObject({
      code: 'ROLE_NOT_ALLOWED',
    });
    expect(await rows()).toEqual(before);
  });
});
