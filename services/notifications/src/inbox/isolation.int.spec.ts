import { type Preferences, ProblemError } from '@po/contracts';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { actors } from '@po/testing/actors';
import { inboxForTests, userSeen, sourceConflict } from '../fixtures/inbox.js';

const { acme, bolt } = actors;
const preferences: Preferences = {
  locale: 'en',
  timeZone: 'UTC',
  mail: { TRANSITION: 'off', MESSAGE: 'off', REMINDER: 'off' },
  digestAt: '18:30',
};
const scopeOf = ({ sub }: { sub: string }) => ({ setting: 'app.user', value: sub });

describe('row-level security', () => {
  const inbox = inboxForTests();
  beforeAll(async () => {
    await inbox.see(userSeen(acme));
    await inbox.see(userSeen(bolt));
    await inbox.announce(sourceConflict({ poRef: 'PO-A' }));
    await inbox.announce(sourceConflict({ poRef: 'PO-B', vendorCode: 'BOLT' }));
    await inbox.mark(acme, 'all');
    for (const user of [acme, bolt]) await inbox.choose(user, preferences);
  });

  const rowsAs = (user: { sub: string } | null, text: string) =>
    inbox.databases.user.read<{ value: string }>(user && scopeOf(user), { name: text, text });

  it.each([
    ['SELECT user_id AS value FROM notifications', acme.sub, bolt.sub],
    ['SELECT user_id AS value FROM users', acme.sub, bolt.sub],
    ['SELECT user_id AS value FROM preferences', acme.sub, bolt.sub],
    ['SELECT user_id AS value FROM inboxes', acme.sub, bolt.sub],
    ['SELECT po_ref AS value FROM transitions', 'PO-A', 'PO-B'],
  ])('limits %s to the rows of the user, although the query has no condition', async (sql, ofAcme, ofBolt) => {
    expect(await rowsAs(acme, sql)).toEqual([{ value: ofAcme }]);
    expect(await rowsAs(bolt, sql)).toEqual([{ value: ofBolt }]);
  });

  it('shows no rows without a user scope', async () => {
    for (const table of ['notifications', 'transitions', 'watermarks', 'preferences']) {
      expect(await rowsAs(null, `SELECT 1 AS value FROM ${table}`)).toEqual([]);
    }
  });

  it("prevents changes and inserts under another user's name", async () => {
    const update = inbox.databases.user.transaction(scopeOf(bolt), (send) =>
      send('UPDATE notifications SET read_at = now() RETURNING id'),
    );
    expect(await update).toHaveLength(1);
    const chosen = inbox.databases.user.transaction(scopeOf(bolt), (send) =>
      send(`UPDATE preferences SET digest_at = '00:00' RETURNING user_id`),
    );
    expect(await chosen).toEqual([{ user_id: bolt.sub }]);
    const insert = inbox.databases.user.transaction(scopeOf(bolt), (send) =>
      send(`INSERT INTO watermarks VALUES ($1, 'forged', 'VENDOR:ACME', 99, now())`, [acme.sub]),
    );
    await expect(insert).rejects.toThrow('row-level security');
    expect(await inbox.inspect(`SELECT 1 FROM watermarks WHERE command_id = 'forged'`)).toEqual([]);
    expect(await inbox.inspect('SELECT user_id FROM notifications WHERE read_at IS NOT NULL')).toEqual([
      { user_id: bolt.sub },
    ]);
  });

  it.each([
    'DELETE FROM notifications',
    'UPDATE users SET last_seq = 0',
    'SELECT email FROM users',
    'UPDATE inboxes SET unread = 0',
    'DELETE FROM preferences',
    'SELECT * FROM outbox',
  ])('denies %s to the role notifications_user', async (sql) => {
    const attempt = inbox.databases.user.transaction(scopeOf(acme), (send) => send(sql));
    await expect(attempt).rejects.toThrow('permission denied');
  });

  it('denies changes of the counts to the role notifications_internal, too', async () => {
    const attempt = inbox.databases.internal.transaction(null, (send) => send('UPDATE inboxes SET unread = 0'));
    await expect(attempt).rejects.toThrow('permission denied');
  });

  it("answers the same for another user's notification as for an unknown one, and marks nothing", async () => {
    await inbox.announce(sourceConflict({ poRef: 'PO-C', vendorCode: 'BOLT' }));
    const foreign = (await inbox.list(bolt)).items[0]?.id ?? '';
    for (const id of [foreign, '00000000-0000-4000-8000-000000000000', 'x', "'", '\u0000']) {
      const refusal = await inbox.mark(acme, id).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(ProblemError);
      expect(refusal).toMatchObject({ code: 'NOTIFICATION_NOT_FOUND', members: {} });
    }
    expect((await inbox.list(bolt)).items[0]).toMatchObject({ id: foreign, read: false });
    expect((await inbox.list(acme, { before: foreign })).items).toEqual([]);
  });
});
