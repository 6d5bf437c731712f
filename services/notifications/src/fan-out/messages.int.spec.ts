import { randomUUID } from 'node:crypto';
import { type Actor, type Notification, NotificationCreated } from '@po/contracts';
import { userHash } from '@po/redis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { actors } from '@po/testing/actors';
import { eventually } from '@po/testing/eventually';
import { type OpenInbox, message, openInbox, seen } from '../fixtures/inbox.js';
import type { MessagePosted } from './events.js';

const WHO = ['vendor', 'colleague', 'buyer', 'otherBuyer', 'admin', 'viewer', 'stranger'] as const;
type Name = (typeof WHO)[number];

describe('a message', () => {
  let inbox: OpenInbox;
  let users: Record<Name, Actor>;
  let poRef: string;
  let vendorCode: string;
  let nth = 0;
  beforeAll(async () => {
    inbox = await openInbox();
  });
  afterAll(() => inbox.close());
  beforeEach(async () => {
    vendorCode = randomUUID();
    poRef = `PO-${vendorCode.slice(0, 8).toUpperCase()}`;
    const as = (actor: Actor, fields: Partial<Actor> = {}): Actor => ({ ...actor, sub: randomUUID(), ...fields });
    users = {
      vendor: as(actors.acme, { vendorCode }),
      colleague: as(actors.acme, { vendorCode, email: null }),
      buyer: as(actors.buyer, { email: `${vendorCode}@example.com` }),
      otherBuyer: as(actors.buyer, { email: `other-${vendorCode}@example.com` }),
      admin: as(actors.admin),
      viewer: as(actors.viewer),
      stranger: as(actors.bolt, { vendorCode: `${vendorCode}-2` }),
    };
    for (const user of Object.values(users)) await inbox.see(seen(user));
  });

  /** Ids rise, as those of an order do. */
  const by = (author: Name, fields: Partial<MessagePosted> = {}): MessagePosted => {
    const { sub, name, role } = users[author];
    const id = `0199${String((nth += 1)).padStart(4, '0')}-${randomUUID().slice(9)}`;
    return message({
      id,
      poRef,
      poNumber: poRef,
      vendorCode,
      buyerEmail: users.buyer.email,
      authorId: sub,
      authorName: name,
      authorRole: role,
      ...fields,
    });
  };
  const mentioning = (...names: Name[]) => ({ mentions: names.map((name) => ({ userId: users[name].sub })) });
  const notified = async ({ id }: MessagePosted): Promise<Name[]> => {
    const rows = await inbox.inspect<{ user_id: string }>('SELECT user_id FROM notifications WHERE history_id = $1', [
      id,
    ]);
    return WHO.filter((name) => rows.some(({ user_id: sub }) => sub === users[name].sub));
  };
  const post = async (event: MessagePosted) => {
    await inbox.post(event);
    return notified(event);
  };
  const published = async ({ id }: MessagePosted) => {
    const rows = await inbox.inspect<{ value: string }>(`SELECT messages -> 0 ->> 'value' AS value FROM outbox`);
    const ours = Object.values(users).map(({ sub }) => sub);
    return rows
      .map(({ value }) => NotificationCreated.strict().parse(JSON.parse(value)))
      .filter(({ messageId, userId }) => messageId === id && ours.includes(userId));
  };

  it('of the vendor reaches the buyer of the order; without a known one every buyer', async () => {
    expect(await post(by('vendor'))).toEqual(['buyer']);
    expect(await post(by('vendor', { buyerEmail: null, poRef: `${poRef}-2` }))).toEqual(['buyer', 'otherBuyer']);
  });

  it('of an internal user reaches every user of the vendor', async () => {
    expect(await post(by('admin'))).toEqual(['vendor', 'colleague']);
  });

  it('that is internal reaches who is mentioned, and no vendor, even if mentioned', async () => {
    expect(await post(by('buyer', { visibility: 'internal' }))).toEqual([]);
    const event = by('buyer', { visibility: 'internal', ...mentioning('viewer', 'admin', 'vendor', 'buyer') });
    expect(await post(event)).toEqual(['admin', 'viewer']);
    expect((await published(event)).map(({ userId }) => userId).toSorted()).toEqual(
      [users.admin.sub, users.viewer.sub].toSorted(),
    );
  });

  it('reaches everybody who wrote in the thread before, if they may see it, and never its author', async () => {
    await inbox.post(by('colleague'));
    await inbox.post(by('admin', { visibility: 'internal' }));
    expect(await post(by('vendor'))).toEqual(['colleague', 'buyer', 'admin']);
    expect(await post(by('otherBuyer', { visibility: 'internal' }))).toEqual(['admin']);
    expect(await post(by('admin'))).toEqual(['vendor', 'colleague', 'otherBuyer']);
    expect(await post(by('vendor', { poRef: `${poRef}-2` }))).toEqual(['buyer']);
  });

  it('is one notification for who is on the other side, mentioned and in the thread', async () => {
    await inbox.post(by('buyer'));
    const event = by('vendor', mentioning('buyer', 'stranger'));
    expect(await post(event)).toEqual(['buyer']);
    const { items } = await inbox.list(users.buyer, { kind: ['MESSAGE'] });
    expect(items.filter((item) => item.poRef === poRef).map(({ messageId }) => messageId)).toEqual([event.id]);
  });

  it('in one batch with those before it reaches their authors; delivered again it changes nothing', async () => {
    const [first, second] = [by('admin'), by('vendor')];
    await Promise.all([inbox.post(first), inbox.post(second), inbox.post(second)]);
    await inbox.post(first);
    expect([await notified(first), await notified(second)]).toEqual([
      ['vendor', 'colleague'],
      ['buyer', 'admin'],
    ]);
    expect(await published(second)).toHaveLength(2);
  });

  it('shows its beginning by characters, its author and the status of the order, here and on the topic', async () => {
    const ship = String.fromCodePoint(0x1f6a2);
    const event = by('vendor', { body: ship.repeat(300), statusId: 300 });
    await inbox.post(event);
    const [listed] = (await inbox.list(users.buyer)).items as [Notification];
    expect(listed).toMatchObject({
      kind: 'MESSAGE',
      messageId: event.id,
      historyId: null,
      reminder: null,
      action: null,
      fromStatusId: null,
      toStatusId: 300,
      toStatus: 'Confirmed',
      comment: ship.repeat(280),
      actorName: 'Li Wei',
      actorRole: 'VENDOR',
      title: `${poRef}: message by Li Wei`,
      titleZh: `${poRef}：Li Wei 的消息`,
    });
    expect(await published(event)).toEqual([
      {
        userId: users.buyer.sub,
        email: users.buyer.email,
        locale: 'en',
        ...listed,
        occurredAt: event.createdAt,
        delivery: { mail: 'now', timeZone: 'UTC', digestAt: '08:00' },
        changes: null,
      },
    ]);
  });

  it('is signalled to its readers and, without a word of it, to who looks at the order', async () => {
    const event = by('buyer', { visibility: 'internal', ...mentioning('viewer') });
    await inbox.post(event);
    await eventually('the viewer is signalled', () => inbox.signalled.includes(userHash(users.viewer.sub)));
    expect(inbox.posted.at(-1)).toMatchObject({ entryId: event.id, poRef, vendorCode, internal: true });
  });

  it('that mentions a user whose announcement is late is given to them when that comes', async () => {
    const late: Actor = { ...actors.viewer, sub: randomUUID() };
    const shown = by('admin', { visibility: 'internal', mentions: [{ userId: late.sub }] });
    await inbox.post(shown);
    await inbox.see(seen(late));
    expect((await inbox.list(late)).items.map(({ messageId }) => messageId)).toEqual([shown.id]);
    const vendor: Actor = { ...users.vendor, sub: randomUUID() };
    await inbox.post(by('admin', { visibility: 'internal', mentions: [{ userId: vendor.sub }] }));
    const forAll = by('admin', { mentions: [{ userId: vendor.sub }] });
    await inbox.post(forAll);
    await inbox.see(seen(vendor));
    expect((await inbox.list(vendor)).items.map(({ messageId }) => messageId)).toEqual([forAll.id]);
  });

  it('is hidden from a user who moved to the side of the vendor', async () => {
    await inbox.post(by('buyer', { visibility: 'internal', ...mentioning('admin') }));
    const moved: Actor = { ...users.admin, role: 'VENDOR', vendorCode };
    await inbox.see(seen(moved));
    expect(await inbox.list(moved)).toEqual({ items: [], total: 0, unread: 0 });
    expect(await post(by('buyer', { visibility: 'internal', ...mentioning('admin') }))).toEqual([]);
  });

  it('does not reach a deleted user, nor one who came back and wrote before that only', async () => {
    await inbox.post(by('admin', { visibility: 'internal' }));
    await inbox.remove(users.admin.sub);
    expect(await post(by('buyer', { visibility: 'internal', ...mentioning('admin') }))).toEqual([]);
    await inbox.see(seen(users.admin, { seenAt: new Date(Date.now() + 60_000).toISOString() }));
    const later = { createdAt: new Date(Date.now() + 61_000).toISOString() };
    expect(await post(by('buyer', { visibility: 'internal', ...later }))).toEqual([]);
    await inbox.post(by('admin', { visibility: 'internal', ...later }));
    expect(await post(by('buyer', { visibility: 'internal', ...later }))).toEqual(['admin']);
  });

  it('with readers that only a newer version knows is kept from every vendor', async () => {
    expect(await post(by('buyer', { visibility: 'finance', ...mentioning('vendor', 'viewer') }))).toEqual(['viewer']);
  });
});
