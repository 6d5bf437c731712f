import { randomUUID } from 'node:crypto';
import type { Actor, NotificationKind } from '@po/contracts';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { actors } from '@po/testing/actors';
import { type OpenInbox, inboxForTests, reminder, userSeen, sourceConflict } from '../fixtures/inbox.js';

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('an inbox', () => {
  const inbox = inboxForTests();
  let user: Actor;
  // Each test has its own user and vendor, so that it does not see data of other tests.
  beforeEach(async () => {
    user = { ...actors.acme, sub: randomUUID(), vendorCode: randomUUID() };
    await inbox.see(userSeen(user));
  });

  const notify = async (...poRefs: string[]) => {
    for (const poRef of poRefs) await inbox.announce(sourceConflict({ poRef, vendorCode: user.vendorCode ?? '' }));
  };
  const refs = (items: { poRef: string }[]) => items.map(({ poRef }) => poRef);

  it('is empty for a user without notifications, even if unknown to the directory', async () => {
    for (const actor of [user, { ...user, sub: randomUUID() }]) {
      expect(await inbox.list(actor)).toEqual({ items: [], total: 0, unread: 0 });
      expect(await inbox.mark(actor, 'all')).toMatchObject({ status: 200, body: { success: true } });
    }
  });

  it('lists newest first, in pages without gaps or overlaps', async () => {
    await notify('PO-1', 'PO-2', 'PO-3', 'PO-4', 'PO-5');
    const first = await inbox.list(user, { limit: 2 });
    expect([refs(first.items), first.total, first.unread]).toEqual([['PO-5', 'PO-4'], 5, 5]);
    const second = await inbox.list(user, { limit: 2, before: first.items[1]?.id ?? '' });
    expect([refs(second.items), second.total]).toEqual([['PO-3', 'PO-2'], 5]);
    const last = await inbox.list(user, { limit: 2, before: second.items[1]?.id ?? '' });
    expect(refs(last.items)).toEqual(['PO-1']);
    expect((await inbox.list(user, { before: last.items[0]?.id ?? '' })).items).toEqual([]);
    const instants = [...first.items, ...second.items, ...last.items].map(({ createdAt }) => createdAt);
    expect(instants.toSorted().toReversed()).toEqual(instants);
  });

  it.each(['00000000-0000-4000-8000-000000000000', 'no-id'])(
    'lists nothing before the unknown notification %s',
    async (before) => {
      await notify('PO-1');
      expect(await inbox.list(user, { before })).toEqual({ items: [], total: 1, unread: 1 });
    },
  );

  it('shows a notification with the data of its transition', async () => {
    const event = sourceConflict({ vendorCode: user.vendorCode ?? '', comment: '改期' });
    await inbox.announce(event);
    expect((await inbox.list(user)).items).toEqual([
      {
        id: expect.any(String),
        read: false,
        readAt: null,
        createdAt: expect.stringMatching(INSTANT),
        kind: 'TRANSITION',
        historyId: event.id,
        messageId: null,
        reminder: null,
        poRef: 'PO-1001',
        poNumber: 'PO-1001',
        vendor: 'Acme Apparel',
        action: 'SOURCE_CONFLICT',
        fromStatusId: 400,
        toStatusId: 400,
        toStatus: 'In Production',
        toStatusZh: '生产中',
        statusColor: '#6D28D9',
        comment: '改期',
        actorName: null,
        actorRole: 'SYSTEM',
        title: 'PO-1001: Source Conflict (still In Production)',
        titleZh: 'PO-1001：源单冲突（仍为生产中）',
      },
    ]);
  });

  it('marks one notification, and keeps its time when marked again', async () => {
    await notify('PO-1', 'PO-2');
    const id = (await inbox.list(user)).items[1]?.id ?? '';
    expect(await inbox.mark(user, id)).toMatchObject({ status: 200, body: { success: true } });
    const marked = await inbox.list(user);
    expect(marked.items.map(({ read }) => read)).toEqual([false, true]);
    expect(marked.items[1]?.readAt).toMatch(INSTANT);
    expect(marked.unread).toBe(1);
    await inbox.mark(user, id);
    expect(await inbox.list(user)).toEqual(marked);
    const unread = await inbox.list(user, { unread: true });
    expect([refs(unread.items), unread.total, unread.unread]).toEqual([['PO-2'], 1, 1]);
    expect(await inbox.unreadCount(user)).toBe(1);
  });

  it('marks all present notifications, but none that arrive before the command is redelivered', async () => {
    await notify('PO-1', 'PO-2');
    const command = { commandId: randomUUID() };
    await inbox.mark(user, 'all', command);
    const marked = await inbox.list(user);
    expect([marked.items.every(({ read }) => read), marked.total, marked.unread]).toEqual([true, 2, 0]);
    await notify('PO-3');
    await inbox.mark(user, 'all', command);
    const after = await inbox.list(user);
    expect(after.items.slice(1)).toEqual(marked.items);
    expect([after.items[0]?.read, after.unread, await inbox.unreadCount(user)]).toEqual([false, 1, 1]);
    await inbox.mark(user, 'all');
    expect((await inbox.list(user)).unread).toBe(0);
    expect((await inbox.list(user)).items.slice(1)).toEqual(marked.items);
  });

  it('marks once per key in each role and for each vendor, and tells that a request is a repetition', async () => {
    const key = { idempotencyKey: 'key-1' };
    const replayed = { status: 200, body: { success: true }, headers: { 'idempotency-replayed': 'true' } };
    for (const role of ['VENDOR', 'BUYER'] as const) {
      const actor: Actor = role === 'VENDOR' ? user : { ...user, role, vendorCode: null };
      await inbox.see(userSeen(actor));
      await notify('PO-1');
      expect((await inbox.mark(actor, 'all', key)).headers).toEqual({});
      await notify('PO-2');
      expect(await inbox.mark(actor, 'all', key)).toEqual(replayed);
      const [newer, older] = (await inbox.list(actor)).items;
      expect([newer?.read, older?.read]).toEqual([false, true]);
      expect((await inbox.mark(actor, newer?.id ?? '', key)).headers).toEqual({});
      expect(await inbox.mark(actor, newer?.id ?? '', key)).toEqual(replayed);
    }
  });

  it('remembers a mark-all of an empty inbox, so that its redelivery marks nothing', async () => {
    const late = { ...user, sub: randomUUID() };
    const command = { commandId: randomUUID() };
    await inbox.mark(late, 'all', command);
    await notify('PO-1');
    await inbox.see(userSeen(late));
    await inbox.mark(late, 'all', command);
    expect(await inbox.list(late)).toMatchObject({ total: 1, unread: 1 });
  });

  it('shows the earlier of a single mark and a mark-all as readAt', async () => {
    await notify('PO-1', 'PO-2');
    const [newer, older] = (await inbox.list(user)).items;
    await inbox.mark(user, older?.id ?? '');
    const single = (await inbox.list(user)).items[1]?.readAt;
    await inbox.mark(user, 'all');
    const all = (await inbox.list(user)).items[0]?.readAt;
    await inbox.mark(user, newer?.id ?? '');
    expect((await inbox.list(user)).items.map(({ readAt }) => readAt)).toEqual([all, single]);
  });

  it('hides, and neither counts nor marks, what the user got for another vendor or in another role', async () => {
    await notify('PO-1', 'PO-2');
    const old = (await inbox.list(user)).items[0]?.id ?? '';
    for (const moved of [
      { ...user, vendorCode: randomUUID() },
      { ...user, role: 'BUYER', vendorCode: null },
      { ...user, role: 'ADMIN', vendorCode: null },
      { ...user, role: 'VIEWER', vendorCode: null },
    ] satisfies Actor[]) {
      await inbox.see(userSeen(moved));
      expect(await inbox.list(moved)).toEqual({ items: [], total: 0, unread: 0 });
      expect(await inbox.list(moved, { kind: ['TRANSITION'] })).toEqual({ items: [], total: 0, unread: 0 });
      expect(await inbox.unreadCount(moved)).toBe(0);
      await expect(inbox.mark(moved, old)).rejects.toThrow('NOTIFICATION_NOT_FOUND');
      await inbox.mark(moved, 'all');
    }
    expect(await inbox.list(user)).toMatchObject({ total: 2, unread: 2 });
  });

  describe('with several kinds', () => {
    const vendorCode = randomUUID();
    const several: Actor = { ...actors.acme, sub: randomUUID(), vendorCode };
    beforeAll(async () => {
      await inbox.see(userSeen(several));
      for (const poRef of ['T1', 'R2', 'R3', 'T4', 'R5']) {
        await (poRef.startsWith('T')
          ? inbox.announce(sourceConflict({ poRef, vendorCode }))
          : inbox.remind(reminder({ poRef, vendorCode })));
      }
      await inbox.mark(several, await idOf('R2'));
    });

    const idOf = async (poRef: string) =>
      (await inbox.list(several)).items.find((item) => item.poRef === poRef)?.id ?? '';
    const refs = async (query: Parameters<OpenInbox['list']>[1]) => {
      const { items, total, unread } = await inbox.list(several, query);
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
    ])('lists %j newest first and counts them, with the unread count of all kinds', async (kind, expected) => {
      expect(await refs({ kind })).toEqual([expected, expected.length, 4]);
    });

    it('combines a filter by kind with pages and the unread filter', async () => {
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

    it('marks notifications of all kinds by one command', async () => {
      await inbox.mark(several, 'all');
      expect(await refs({ kind: ['REMINDER'], unread: true })).toEqual([[], 0, 0]);
      expect(await refs({ unread: true })).toEqual([[], 0, 0]);
    });
  });
});
