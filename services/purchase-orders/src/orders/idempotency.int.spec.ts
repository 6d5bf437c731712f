import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { PATTERNS, ProblemError } from '@po/contracts';
import { type Reply, type RpcContext, created } from '@po/messaging';
import { actors } from '@po/testing/actors';
import { eventually } from '@po/testing/eventually';
import { contextOf, exampleOrder, ordersDatabaseForTests, storeOrder } from '../fixtures/orders-database.js';
import { executeCommand, idempotencyKeyOf, readNothing } from '../idempotency/command-log.js';
import { purgeExpired } from '../idempotency/purges.js';

const database = ordersDatabaseForTests();

const patch = (poRef: string, factory: string, context: RpcContext) =>
  database.service.updateHeader({ poRef, patch: { vendor_reply_factory: factory } }, context);
const submit = (poRef: string, context: RpcContext) =>
  database.service.transition({ poRef, request: { action: 'SUBMIT' } }, context);

const withKey = (idempotencyKey: string, more: Partial<RpcContext> = {}) =>
  contextOf(actors.acme, PATTERNS.updateHeader.type, {
    method: 'PATCH',
    idempotencyKey,
    idempotencyOrigin: 'client',
    ...more,
  });
const submitWithKey = (idempotencyKey: string, more: Partial<RpcContext> = {}) => ({
  ...withKey(idempotencyKey, more),
  type: PATTERNS.transition.type,
  method: 'POST',
});

const versionOf = async (poNumber: string) => {
  const [row] = await database.inspect<{ version: number }>(
    'SELECT version FROM purchase_orders WHERE po_number = $1',
    [poNumber],
  );
  return row?.version;
};

describe('an idempotency key', () => {
  test('returns the first result byte for byte, before any check of the status', async () => {
    await storeOrder(database, exampleOrder('K-1'));
    const key = randomUUID();
    const first = await submit('K-1', submitWithKey(key, { ifMatch: '"1"' }));
    const again = await submit('K-1', submitWithKey(key, { ifMatch: '"1"' }));
    expect(again).toEqual({ ...first, headers: { ...first.headers, 'idempotency-replayed': 'true' } });
    expect(await versionOf('K-1')).toBe(2);
  });

  test('with another body is refused', async () => {
    await storeOrder(database, exampleOrder('K-2'));
    const key = randomUUID();
    await patch('K-2', 'A', withKey(key));
    await expect(patch('K-2', 'B', withKey(key))).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
    expect(await versionOf('K-2')).toBe(2);
  });

  test('belongs to one user, role, order and type of write', async () => {
    await storeOrder(database, exampleOrder('K-3'));
    await storeOrder(database, exampleOrder('K-4'));
    const key = randomUUID();
    await patch('K-3', 'A', withKey(key));
    await patch('K-4', 'A', withKey(key));
    await patch('K-3', 'B', withKey(key, { actor: { ...actors.acme, sub: 'u-acme-2' } }));
    await submit('K-3', submitWithKey(key));
    expect([await versionOf('K-3'), await versionOf('K-4')]).toEqual([4, 2]);
  });

  test('may be used again after a refusal', async () => {
    await storeOrder(database, exampleOrder('K-5'));
    const key = randomUUID();
    await expect(submit('K-5', submitWithKey(key, { ifMatch: '"9"' }))).rejects.toMatchObject({
      code: 'VERSION_MISMATCH',
    });
    expect((await submit('K-5', submitWithKey(key))).status).toBe(200);
  });

  test('whose first request is still running is refused as in progress, and the second request has no effect', async () => {
    await storeOrder(database, exampleOrder('K-6'));
    const key = randomUUID();
    let first: Promise<unknown> | undefined;
    // The first request has reserved its key and waits for the order's row lock.
    await database.databases.internal.transaction(null, async (send) => {
      await send(`SELECT 1 FROM purchase_orders WHERE po_number = 'K-6' FOR UPDATE`);
      first = patch('K-6', 'A', withKey(key));
      await eventually('the first request waits for the row', async () => {
        const [row] = await database.inspect(
          `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
        );
        return row !== undefined;
      });
      await expect(patch('K-6', 'A', withKey(key))).rejects.toMatchObject({
        code: 'IDEMPOTENCY_IN_PROGRESS',
        options: { headers: { 'retry-after': '1' } },
      });
    });
    await expect(first).resolves.toMatchObject({ status: 200 });
    expect(await versionOf('K-6')).toBe(2);
  });

  test('has no effect after it expires', async () => {
    await storeOrder(database, exampleOrder('K-7'));
    const key = randomUUID();
    await patch('K-7', 'A', withKey(key));
    await database.inspect(`UPDATE command_log SET expires_at = now() - interval '1 second'`);
    await patch('K-7', 'B', withKey(key));
    expect(await versionOf('K-7')).toBe(3);
  });
});

describe('a command delivered twice', () => {
  test('takes effect once and is answered twice, without the header of a replayed request', async () => {
    await storeOrder(database, exampleOrder('D-1'));
    const context = contextOf(actors.acme, PATTERNS.transition.type);
    const first = await submit('D-1', context);
    expect(await submit('D-1', context)).toEqual(first);
    expect(await versionOf('D-1')).toBe(2);
  });

  test('concurrently waits for the first delivery and gets its answer', async () => {
    await storeOrder(database, exampleOrder('D-2'));
    const context = contextOf(actors.acme, PATTERNS.transition.type);
    const [first, second] = await Promise.all([submit('D-2', context), submit('D-2', context)]);
    expect(second).toEqual(first);
    expect(await versionOf('D-2')).toBe(2);
  });

  test('takes no effect after a refusal, even if it were allowed now', async () => {
    await storeOrder(database, exampleOrder('D-3', { statusId: 200 }));
    const context = contextOf(actors.acme, PATTERNS.transition.type);
    await expect(submit('D-3', context)).rejects.toMatchObject({ code: 'TRANSITION_NOT_ALLOWED' });
    await database.service.transition(
      { poRef: 'D-3', request: { action: 'RECALL' } },
      contextOf(actors.acme, PATTERNS.transition.type),
    );
    await expect(submit('D-3', context)).rejects.toMatchObject({
      code: 'TRANSITION_NOT_ALLOWED',
      members: { currentStatusId: 200 },
    });
    expect(await versionOf('D-3')).toBe(2);
  });

  test.each([
    { refusal: 'that is final', isFinal: true, redelivered: 'VERSION_MISMATCH' },
    { refusal: 'that is not final', isFinal: false, redelivered: 201 },
  ])('after a refusal $refusal has the outcome $redelivered', async (row) => {
    const key = idempotencyKeyOf(contextOf(actors.buyer, PATTERNS.postMessage.type), 'D-6', {});
    const deliver = (decide: () => { reply: Reply }) =>
      executeCommand(database.databases.accessOf(actors.buyer), key, readNothing, decide, () => row.isFinal).then(
        ({ reply }) => reply.status,
        ({ code }: ProblemError) => code,
      );
    const refuse = () => {
      throw new ProblemError('VERSION_MISMATCH');
    };
    expect(await deliver(refuse)).toBe('VERSION_MISMATCH');
    expect(await deliver(() => ({ reply: created('/', {}) }))).toBe(row.redelivered);
  });

  describe('while the clock of the database is an hour ahead', () => {
    const TIMERS = [
      'setTimeout',
      'clearTimeout',
      'setInterval',
      'clearInterval',
      'setImmediate',
      'clearImmediate',
    ] as const;
    const OTHERS = ['nextTick', 'queueMicrotask', 'performance', 'hrtime'] as const;
    beforeAll(() => {
      jest.useFakeTimers({ now: Date.now() - 3_600_000, doNotFake: [...TIMERS, ...OTHERS] });
    });
    afterAll(() => {
      jest.useRealTimers();
    });

    test('takes effect once', async () => {
      await storeOrder(database, exampleOrder('D-4'));
      const context = contextOf(actors.acme, PATTERNS.updateHeader.type);
      await patch('D-4', 'A', context);
      await patch('D-4', 'B', contextOf(actors.acme, PATTERNS.updateHeader.type));
      await purgeExpired(database.databases, 'command_log', 100);
      await patch('D-4', 'A', context);
      expect(await versionOf('D-4')).toBe(3);
    });

    test('takes no effect after a refusal', async () => {
      await storeOrder(database, exampleOrder('D-5'));
      const context = { ...contextOf(actors.acme, PATTERNS.transition.type), ifMatch: '"2"' };
      await expect(submit('D-5', context)).rejects.toMatchObject({ code: 'VERSION_MISMATCH' });
      await patch('D-5', 'A', contextOf(actors.acme, PATTERNS.updateHeader.type));
      await purgeExpired(database.databases, 'command_refusals', 100);
      await expect(submit('D-5', context)).rejects.toMatchObject({ code: 'VERSION_MISMATCH' });
      expect(await versionOf('D-5')).toBe(2);
    });
  });
});
