import { randomUUID } from 'node:crypto';
import type { Actor } from '@po/contracts';
import type { Statement } from '@po/database';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { actors } from '@po/testing/actors';
import { inboxForTests, userSeen } from '../fixtures/inbox.js';
import { inboxOf } from './inbox.js';
import { COUNTS, KINDS_PAGE, PAGE, POSITION, SINCE, UNREAD_KINDS_PAGE, UNREAD_PAGE } from './statements.js';

const SMALL = 100;
const LARGE = 20_000;
const PAGE_SIZE = 20;

interface Explained {
  'QUERY PLAN': [{ Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } }];
}

describe('an inbox of 20,000 notifications', () => {
  const inbox = inboxForTests();
  let small: Actor;
  let large: Actor;
  beforeAll(async () => {
    await inbox.inspect('ALTER TABLE notifications SET (autovacuum_enabled = off)');
    await inbox.inspect('ALTER TABLE transitions SET (autovacuum_enabled = off)');
    small = await filled(SMALL);
    large = await filled(LARGE);
  });

  async function filled(size: number): Promise<Actor> {
    const vendorCode = `V${size}`;
    const user: Actor = { ...actors.acme, sub: randomUUID(), vendorCode };
    await inbox.see(userSeen(user));
    await inbox.inspect(
      `INSERT INTO transitions
       SELECT $1 || lpad(n::text, 6, '0'), 'PO', 'PO', $1, 'Acme', NULL, 'APPROVE', 200, 300, 'Confirmed', '已确认', '#000', NULL, NULL,
              NULL, 'SYSTEM', now(), true, 'none', 'TRANSITION', NULL, NULL, NULL, NULL, false FROM generate_series(1, $2::integer) n`,
      [vendorCode, size],
    );
    await inbox.inspect(
      `INSERT INTO notifications (user_id, audience, seq, history_id, kind, created_at, read_at)
       SELECT $1, $2, n, $3 || lpad(n::text, 6, '0'), 'TRANSITION', now(), CASE WHEN n % 2 = 0 THEN now() END FROM generate_series(1, $4::integer) n`,
      [user.sub, inboxOf(user).audience, vendorCode, size],
    );
    await inbox.inspect('UPDATE users SET last_seq = $2 WHERE user_id = $1', [user.sub, size]);
    return user;
  }

  /** Number of blocks that PostgreSQL reads: unlike time, the same on every machine. */
  async function blocksOf(user: Actor, { text }: Statement, more: unknown[] = []): Promise<number> {
    const { userId, audience, scope } = inboxOf(user);
    const [row] = await inbox.databases.user.transaction(scope, (send) =>
      send<Explained>(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, [userId, audience, ...more]),
    );
    const plan = row?.['QUERY PLAN'][0].Plan;
    return (plan?.['Shared Hit Blocks'] ?? NaN) + (plan?.['Shared Read Blocks'] ?? NaN);
  }
  const idAt = async (user: Actor, seq: number) =>
    (
      await inbox.inspect<{ id: string }>('SELECT id FROM notifications WHERE user_id = $1 AND seq = $2', [
        user.sub,
        seq,
      ])
    )[0]?.id ?? '';

  const statements: [string, (user: Actor, size: number) => Promise<number>][] = [
    ['its counts', (user) => blocksOf(user, COUNTS)],
    ['its newest page', (user) => blocksOf(user, PAGE, [null, PAGE_SIZE])],
    [
      'a page in its middle',
      async (user, size) => blocksOf(user, PAGE, [await idAt(user, Math.floor(size / 2) + PAGE_SIZE), PAGE_SIZE]),
    ],
    ['its newest unread page', (user) => blocksOf(user, UNREAD_PAGE, [null, PAGE_SIZE])],
    [
      'its newest page of two kinds',
      (user) => blocksOf(user, KINDS_PAGE, [null, PAGE_SIZE, ['TRANSITION', 'REMINDER']]),
    ],
    [
      'a page in the middle of one kind',
      async (user, size) =>
        blocksOf(user, KINDS_PAGE, [await idAt(user, Math.floor(size / 2) + PAGE_SIZE), PAGE_SIZE, ['TRANSITION']]),
    ],
    [
      'its newest unread page of one kind',
      (user) => blocksOf(user, UNREAD_KINDS_PAGE, [null, PAGE_SIZE, ['TRANSITION']]),
    ],
    [
      'a page of a kind that it does not contain',
      (user) => blocksOf(user, KINDS_PAGE, [null, PAGE_SIZE, ['REMINDER']]),
    ],
    ['the notifications since its middle', (user, size) => blocksOf(user, SINCE, [Math.floor(size / 2), PAGE_SIZE])],
    ['the distance to its end', async (user, size) => blocksOf(user, POSITION, [await idAt(user, size - PAGE_SIZE)])],
  ];
  const growthOf = async (blocks: (user: Actor, size: number) => Promise<number>) =>
    (await blocks(large, LARGE)) / (await blocks(small, SMALL));

  it.each(statements)('costs as little as one of 100 without PostgreSQL statistics: %s', async (_, blocks) => {
    expect(await growthOf(blocks)).toBeLessThan(3);
  });

  it.each(statements)('costs as little as one of 100 with PostgreSQL statistics: %s', async (_, blocks) => {
    await inbox.inspect('ANALYZE');
    expect(await growthOf(blocks)).toBeLessThan(3);
  });

  it('has exact counts', async () => {
    expect(await inbox.list(large, { limit: 1 })).toMatchObject({ total: LARGE, unread: LARGE / 2 });
    await inbox.mark(large, 'all');
    expect(await inbox.list(large, { unread: true })).toEqual({ items: [], total: 0, unread: 0 });
  });

  it('costs no more after all of it was marked as read', async () => {
    await inbox.mark(small, 'all');
    await inbox.mark(large, 'all');
    expect(await growthOf((user) => blocksOf(user, UNREAD_PAGE, [null, PAGE_SIZE]))).toBeLessThan(3);
  });
});
