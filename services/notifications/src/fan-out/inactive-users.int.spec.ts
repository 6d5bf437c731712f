import { randomUUID } from 'node:crypto';
import type { Actor } from '@po/contracts';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { actors } from '@po/testing/actors';
import { inboxForTests, userSeen, sourceConflict, transition } from '../fixtures/inbox.js';

const DAYS = 7;
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

describe('a user without a request during the retention period', () => {
  const inbox = inboxForTests({ retentionDays: DAYS });
  let vendorCode: string;
  let user: Actor;
  let colleague: Actor;
  beforeEach(() => {
    vendorCode = randomUUID();
    user = { ...actors.acme, sub: randomUUID(), vendorCode };
    colleague = { ...user, sub: randomUUID() };
  });

  const historyIds = async (actor: Actor) => (await inbox.list(actor)).items.map(({ historyId }) => historyId);
  const announce = async () => {
    const event = sourceConflict({ vendorCode });
    await inbox.announce(event);
    return event.id;
  };
  const published = async (actor: Actor) =>
    (await inbox.inspect('SELECT 1 FROM outbox WHERE messages::text LIKE $1', [`%${actor.sub}%`])).length;

  it('gets no notification, not even on the topic, until the next request', async () => {
    await inbox.see(userSeen(user, { seenAt: daysAgo(DAYS + 0.01) }));
    await inbox.see(userSeen(colleague, { seenAt: daysAgo(DAYS - 0.01) }));
    const first = await announce();
    expect([await historyIds(user), await historyIds(colleague)]).toEqual([[], [first]]);
    expect([await published(user), await published(colleague)]).toEqual([0, 1]);
    await inbox.see(userSeen(user));
    const second = await announce();
    expect([await historyIds(user), await historyIds(colleague)]).toEqual([[second], [second, first]]);
  });

  it('gets no backfill when the directory is rebuilt', async () => {
    await announce();
    await inbox.see(userSeen(user, { seenAt: daysAgo(DAYS + 1) }));
    expect(await inbox.list(user)).toEqual({ items: [], total: 0, unread: 0 });
  });

  it('no longer counts as the buyer of an order: every active buyer is notified', async () => {
    const left: Actor = { ...actors.buyer, sub: randomUUID(), email: `${vendorCode}@example.com` };
    const here: Actor = { ...actors.buyer, sub: randomUUID(), email: `other-${vendorCode}@example.com` };
    await inbox.see(userSeen(left, { seenAt: daysAgo(DAYS + 1) }));
    await inbox.see(userSeen(here));
    const event = transition({ vendorCode, buyerEmail: left.email });
    await inbox.announce(event);
    expect(await historyIds(left)).toEqual([]);
    expect(await historyIds(here)).toContain(event.id);
  });
});
