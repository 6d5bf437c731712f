import { afterEach, describe, expect, it } from '@jest/globals';
import { actors } from '@po/testing/actors';
import { type Mailing, openMailing, queued, userSeen } from '../fixtures/mailing.js';

let mailing: Mailing;
afterEach(() => mailing.close());

describe('the address of a queued mail', () => {
  const later = () => new Date(Date.now() + 1_000).toISOString();

  it('is the one that its user has when it is sent', async () => {
    mailing = await openMailing();
    await mailing.add(queued());
    await mailing.users.seen(userSeen(actors.bolt, { seenAt: later(), email: 'new@bolt.example' }));
    await mailing.send();
    expect(mailing.server.mails).toMatchObject([{ to: ['new@bolt.example'] }]);
  });

  it('is checked for suppression only after it was corrected', async () => {
    mailing = await openMailing();
    await mailing.database.transaction(null, (send) =>
      mailing.suppressions.suppress(send, `${actors.bolt.email}`, '550'),
    );
    await mailing.add(queued());
    await mailing.users.seen(userSeen(actors.bolt, { seenAt: later(), email: 'new@bolt.example' }));
    await mailing.send();
    expect(await mailing.outcomes()).toEqual(['sent']);
  });

  it('is the one in the notification if that is newer than what is known of its user', async () => {
    mailing = await openMailing();
    const seenAt = new Date(Date.now() - 1_000).toISOString();
    await mailing.users.seen(userSeen(actors.bolt, { seenAt, email: 'old@bolt.example' }));
    await mailing.add(queued());
    await mailing.send();
    expect(mailing.server.mails).toMatchObject([{ to: [actors.bolt.email] }]);
  });

  it.each([null, 'a@bolt.example, b@bolt.example'])('ends it unsent if it was changed to %j', async (email) => {
    mailing = await openMailing();
    await mailing.add(queued());
    await mailing.users.seen(userSeen(actors.bolt, { seenAt: later(), email }));
    await mailing.send();
    expect(await mailing.outcomes()).toEqual(['dropped']);
  });

  it('is forgotten with its user', async () => {
    mailing = await openMailing();
    await mailing.users.seen(userSeen(actors.bolt, { seenAt: later() }));
    await mailing.users.deleted({ sub: actors.bolt.sub, deletedAt: new Date(Date.now() + 2_000).toISOString() });
    expect(await mailing.inspect('SELECT email FROM recipients')).toEqual([{ email: null }]);
  });

  it('is forgotten with its user also if the previous release handles the deletion', async () => {
    mailing = await openMailing();
    await mailing.users.seen(userSeen(actors.bolt, { seenAt: later() }));
    await mailing.inspect(
      `INSERT INTO recipients AS r (user_id, role, seen_at, changed_at) VALUES ($1, '', $2, $2)
           ON CONFLICT (user_id) DO UPDATE
          SET role = excluded.role, vendor_code = NULL, seen_at = excluded.seen_at, issued_at = NULL,
              changed_at = excluded.changed_at`,
      [actors.bolt.sub, new Date()],
    );
    expect(await mailing.inspect('SELECT role, email FROM recipients')).toEqual([{ role: '', email: null }]);
  });
});
