import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Preferences, ReadMark } from '@po/contracts';
import { actors } from '@po/testing/actors';
import { type OpenInbox, openInbox, reminder, userSeen, transition } from '../fixtures/inbox.js';
import { NotificationsQueries } from './notifications.queries.js';

describe('the read marks for the mail service', () => {
  let inbox: OpenInbox;
  beforeEach(async () => {
    inbox = await openInbox();
  });
  afterEach(() => inbox.close());

  const marks = async (ids: string[]) => {
    const { body } = await new NotificationsQueries(inbox.databases).readMarks({ ids });
    return (body as ReadMark[]).map(({ id, read }) => `${ids.indexOf(id)} ${read}`).toSorted();
  };
  const announced = async () => {
    await inbox.announce(transition({ action: 'APPROVE', actorId: actors.buyer.sub, actorRole: 'BUYER' }));
  };

  it('show which notifications their user has read, singly or with mark-all', async () => {
    await inbox.see(userSeen(actors.acme));
    await announced();
    await announced();
    const ids = (await inbox.list(actors.acme)).items.map(({ id }) => id);
    const [first = ''] = ids;
    await inbox.mark(actors.acme, first);
    expect(await marks([...ids, randomUUID(), 'no id'])).toEqual(['0 true', '1 false']);
    await inbox.mark(actors.acme, 'all');
    expect(await marks(ids)).toEqual(['0 true', '1 true']);
  });

  it('omit notifications that their user may no longer see', async () => {
    await inbox.see(userSeen(actors.acme));
    await announced();
    const ids = (await inbox.list(actors.acme)).items.map(({ id }) => id);
    expect(await marks(ids)).toHaveLength(1);
    await inbox.see(userSeen({ ...actors.acme, vendorCode: 'OTHER' }));
    expect(await marks(ids)).toEqual([]);
    await inbox.see(userSeen(actors.acme));
    await inbox.remove(actors.acme.sub);
    expect(await marks(ids)).toEqual([]);
  });

  it('omit kinds whose mail the user turned off, and include all kinds for a user who chose nothing', async () => {
    await inbox.see(userSeen(actors.acme));
    await announced();
    await inbox.remind(reminder());
    const ids = (await inbox.list(actors.acme)).items.map(({ id }) => id);
    const [ofReminder, ofTransition] = ['0 false', '1 false'];
    expect(await marks(ids)).toEqual([ofReminder, ofTransition]);
    await inbox.turnOffMail(actors.acme, { userId: actors.acme.sub, kinds: ['TRANSITION'] });
    expect(await marks(ids)).toEqual([ofReminder]);
    const chosen = (await inbox.preferences(actors.acme)).body as Preferences;
    await inbox.choose(actors.acme, { ...chosen, mail: { TRANSITION: 'now', MESSAGE: 'off', REMINDER: 'off' } });
    expect(await marks(ids)).toEqual([ofTransition]);
    // A kind added after the preferences were stored.
    await inbox.inspect(`UPDATE preferences SET mail = mail - 'TRANSITION'`);
    expect(await marks(ids)).toEqual([ofTransition]);
  });
});
