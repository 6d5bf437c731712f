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
});
