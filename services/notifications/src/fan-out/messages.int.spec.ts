import { randomUUID } from 'node:crypto';
import { type Actor, type Notification, NotificationCreated } from '@po/contracts';
import { userHash } from '@po/redis';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { actors } from '@po/testing/actors';
import { eventually } from '@po/testing/eventually';
import { message, inboxForTests, userSeen } from '../fixtures/inbox.js';
import type { MessagePosted } from './events.js';

const WHO = ['vendor', 'colleague', 'buyer', 'otherBuyer', 'admin', 'viewer', 'stranger'] as const;
type Name = (typeof WHO)[number];

describe('a message', () => {
  const inbox = inboxForTests();
  let users: Record<Name, Actor>;
  let poRef: string;
  let vendorCode: string;
  let nth = 0;
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
    for (const user of Object.values(users)) await inbox.see(userSeen(user));
  });

  /** A message by this author. Ids ascend, as within an order. */
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

  it("from the vendor reaches the order's buyer, or every buyer if that buyer is unknown", async () => {
    expect(await post(by('vendor'))).toEqual(['buyer']);
    expect(await post(by('vendor', { buyerEmail: null, poRef: `${poRef}-2` }))).toEqual(['buyer', 'otherBuyer']);
  });

  it('from an internal user reaches every user of the vendor', async () => {
    expect(await post(by('admin'))).toEqual(['vendor', 'colleague']);
  });

  it('that is internal reaches the mentioned users, but never a vendor', async () => {
    expect(await post(by('buyer', { visibility: 'internal' }))).toEqual([]);
    const event = by('buyer', { visibility: 'internal', ...mentioning('viewer', 'admin', 'vendor', 'buyer') });
    expect(await post(event)).toEqual(['admin', 'viewer']);
    expect((await published(event)).map(({ userId }) => userId).toSorted()).toEqual(
      [users.admin.sub, users.viewer.sub].toSorted(),
    );
  });

  it('reaches the earlier authors of the thread who may see it, but never its own author', async () => {
    await inbox.post(by('colleague'));
    await inbox.post(by('admin', { visibility: 'internal' }));
    expect(await post(by('vendor'))).toEqual(['colleague', 'buyer', 'admin']);
    expect(await post(by('otherBuyer', { visibility: 'internal' }))).toEqual(['admin']);
    expect(await post(by('admin'))).toEqual(['vendor', 'colleague', 'otherBuyer']);
    expect(await post(by('vendor', { poRef: `${poRef}-2` }))).toEqual(['buyer']);
  });

  it('creates one notification for a user who is the buyer, mentioned and in the thread', async () => {
    await inbox.post(by('buyer'));
    const event = by('vendor', mentioning('buyer', 'stranger'));
    expect(await post(event)).toEqual(['buyer']);
    const { items } = await inbox.list(users.buyer, { kind: ['MESSAGE'] });
    expect(items.filter((item) => item.poRef === poRef).map(({ messageId }) => messageId)).toEqual([event.id]);
  });

  it('reaches the authors of earlier messages in the same batch, and changes nothing when redelivered', async () => {
    const [first, second] = [by('admin'), by('vendor')];
    await Promise.all([inbox.post(first), inbox.post(second), inbox.post(second)]);
    await inbox.post(first);
    expect([await notified(first), await notified(second)]).toEqual([
      ['vendor', 'colleague'],
      ['buyer', 'admin'],
    ]);
    expect(await published(second)).toHaveLength(2);
  });

  it('is shown with its first 280 characters, its author and the order status, in the inbox and on the topic', async () => {
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

  it('is signalled to its recipients and, without its text, to users who have the order open', async () => {
    const event = by('buyer', { visibility: 'internal', ...mentioning('viewer') });
    await inbox.post(event);
    await eventually('the viewer is signalled', () => inbox.signalled.includes(userHash(users.viewer.sub)));
    expect(inbox.posted.at(-1)).toMatchObject({ entryId: event.id, poRef, vendorCode, internal: true });
  });

  it('reaches a mentioned user whose announcement arrives later', async () => {
    const late: Actor = { ...actors.viewer, sub: randomUUID() };
    const shown = by('admin', { visibility: 'internal', mentions: [{ userId: late.sub }] });
    await inbox.post(shown);
    await inbox.see(userSeen(late));
    expect((await inbox.list(late)).items.map(({ messageId }) => messageId)).toEqual([shown.id]);
    const vendor: Actor = { ...users.vendor, sub: randomUUID() };
    await inbox.post(by('admin', { visibility: 'internal', mentions: [{ userId: vendor.sub }] }));
    const forAll = by('admin', { mentions: [{ userId: vendor.sub }] });
    await inbox.post(forAll);
    await inbox.see(userSeen(vendor));
    expect((await inbox.list(vendor)).items.map(({ messageId }) => messageId)).toEqual([forAll.id]);
  });

  it("that is internal is hidden from a mentioned user who moved to the vendor's side", async () => {
    await inbox.post(by('buyer', { visibility: 'internal', ...mentioning('admin') }));
    const moved: Actor = { ...users.admin, role: 'VENDOR', vendorCode };
    await inbox.see(userSeen(moved));
    expect(await inbox.list(moved)).toEqual({ items: [], total: 0, unread: 0 });
    expect(await post(by('buyer', { visibility: 'internal', ...mentioning('admin') }))).toEqual([]);
  });

  it('does not reach a deleted user, nor a returned user who wrote only before the deletion', async () => {
    await inbox.post(by('admin', { visibility: 'internal' }));
    await inbox.remove(users.admin.sub);
    expect(await post(by('buyer', { visibility: 'internal', ...mentioning('admin') }))).toEqual([]);
    await inbox.see(userSeen(users.admin, { seenAt: new Date(Date.now() + 60_000).toISOString() }));
    const later = { createdAt: new Date(Date.now() + 61_000).toISOString() };
    expect(await post(by('buyer', { visibility: 'internal', ...later }))).toEqual([]);
    await inbox.post(by('admin', { visibility: 'internal', ...later }));
    expect(await post(by('buyer', { visibility: 'internal', ...later }))).toEqual(['admin']);
  });

  it('with a visibility that only a newer version knows is hidden from every vendor', async () => {
    expect(await post(by('buyer', { visibility: 'finance', ...mentioning('vendor', 'viewer') }))).toEqual(['viewer']);
  });
});
