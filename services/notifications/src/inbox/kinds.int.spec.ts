import { randomUUID } from 'node:crypto';
import type { Actor, NotificationKind } from '@po/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { actors } from '@po/testing/actors';
import { type OpenInbox, openInbox, reminder, seen, sourceConflict } from '../fixtures/inbox.js';

describe('an inbox of several kinds', () => {
  let inbox: OpenInbox;
  const vendorCode = randomUUID();
  const user: Actor = { ...actors.acme, sub: randomUUID(), vendorCode };
  beforeAll(async () => {
    inbox = await openInbox();
    await inbox.see(seen(user));
    for (const poRef of ['T1', 'R2', 'R3', 'T4', 'R5']) {
      await (poRef.startsWith('T')
        ? inbox.announce(sourceConflict({ poRef, vendorCode }))
        : inbox.remind(reminder({ poRef, vendorCode })));
    }
    await inbox.mark(user, await idOf('R2'));
  });
  afterAll(() => inbox.close());

  const idOf = async (poRef: string) => (await inbox.list(user)).items.find((item) => item.poRef === poRef)?.id ?? '';
  const refs = async (query: Parameters<OpenInbox['list']>[1]) => {
    const { items, total, unread } = await inbox.list(user, query);
    return [items.map(({ poRef }) => poRef), total, unread];
  };

  it.each<[NotificationKind[], string[]]>([
    [['REMINDER'], ['R5', 'R3', 'R2']],
    [['TRANSITION'], ['T4', 'T1']],
    [
      ['REMINDER', 'TRANSITION'],
      ['R5', 'T4', 'R3', 'R2', 'T1'],
    ],
    [['MESSAGE'], []],
    [
      ['MESSAGE', 'TRANSITION'],
      ['T4', 'T1'],
    ],
  ])('lists %j newest first and counts them, beside all that is unread', async (kind, expected) => {
    expect(await refs({ kind })).toEqual([expected, expected.length, 4]);
  });

  it('combines kinds with pages and with what is unread', async () => {
    const before = await idOf('R5');
    expect(await refs({ kind: ['REMINDER'], before })).toEqual([['R3', 'R2'], 3, 4]);
    expect(await refs({ kind: ['REMINDER'], limit: 1 })).toEqual([['R5'], 3, 4]);
    expect(await refs({ kind: ['REMINDER'], unread: true })).toEqual([['R5', 'R3'], 2, 4]);
    expect(await refs({ kind: ['REMINDER', 'TRANSITION'], unread: true, before, limit: 2 })).toEqual([
      ['T4', 'R3'],
      4,
      4,
    ]);
    expect(await refs({ kind: ['REMINDER'], before: 'nonsense' })).toEqual([[], 3, 4]);
  });

  it('marks all kinds at once', async () => {
    await inbox.mark(user, 'all');
    expect(await refs({ kind: ['REMINDER'], unread: true })).toEqual([[], 0, 0]);
    expect(await refs({ unread: true })).toEqual([[], 0, 0]);
  });
});
