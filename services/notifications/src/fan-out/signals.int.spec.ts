import { randomUUID } from 'node:crypto';
import { type Actor, ALL_USERS } from '@po/contracts';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { userHash } from '@po/redis';
import { actors } from '@po/testing/actors';
import { eventually } from '@po/testing/eventually';
import { inboxForTests, userSeen, sourceConflict } from '../fixtures/inbox.js';

describe('the signals to gateways', () => {
  const inbox = inboxForTests();
  let users: Actor[];
  beforeEach(async () => {
    inbox.signalled.length = 0;
    const vendorCode = randomUUID();
    users = [0, 1].map(() => ({ ...actors.acme, sub: randomUUID(), vendorCode }));
    for (const user of users) await inbox.see(userSeen(user));
    await signalled(users.length);
    inbox.signalled.length = 0;
  });

  const event = () => sourceConflict({ vendorCode: users[0]?.vendorCode ?? '' });
  const hashesOf = (...whose: Actor[]) => whose.map(({ sub }) => userHash(sub)).toSorted();
  /** All signalled users, once there are at least `count`. */
  const signalled = async (count: number) => {
    await eventually(`${count} are signalled`, () => inbox.signalled.length >= count);
    return inbox.signalled.toSorted();
  };

  it('name every user who got a notification', async () => {
    await inbox.announce(event());
    expect(await signalled(2)).toEqual(hashesOf(...users));
  });

  it('name a user who marked one or all notifications', async () => {
    const [first, second] = users as [Actor, Actor];
    await inbox.announce(event());
    await signalled(2);
    await inbox.mark(first, (await inbox.list(first)).items[0]?.id ?? '');
    expect(await signalled(3)).toEqual(hashesOf(first, first, second));
    await inbox.mark(second, 'all');
    expect(await signalled(4)).toEqual(hashesOf(first, first, second, second));
  });

  it('name nobody if no notification was marked', async () => {
    const [first] = users as [Actor];
    await expect(inbox.mark(first, randomUUID())).rejects.toThrow('NOTIFICATION_NOT_FOUND');
    await inbox.announce(event());
    expect(await signalled(2)).toEqual(hashesOf(...users));
  });

  it('name a first-seen user, but not a user who is seen again', async () => {
    const [first] = users as [Actor];
    await inbox.see(userSeen({ ...first, name: 'Li' }));
    const third = { ...first, sub: randomUUID() };
    await inbox.see(userSeen(third));
    expect(await signalled(1)).toEqual(hashesOf(third));
  });

  it('name ALL_USERS for a redelivered entry, because the process that stored it may have died before signalling', async () => {
    const known = event();
    await inbox.announce(known);
    await signalled(2);
    await inbox.announce(known);
    expect(new Set(await signalled(3))).toEqual(new Set([ALL_USERS, ...hashesOf(...users)]));
  });
});
