import { ACTOR_ROLES, ANY_ACTION_NAMES, type Actor, NotificationCreated } from '@po/contracts';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { actors } from '@po/testing/actors';
import { z } from 'zod';
import { inboxForTests, userSeen, sourceConflict, transition } from '../fixtures/inbox.js';
import { recipientsOfTransition } from './recipients.js';

const { acme, bolt, buyer, admin, viewer } = actors;
const colleague: Actor = { ...acme, sub: 'u-acme-2', email: null };
const otherBuyer: Actor = { ...buyer, sub: 'u-buyer-2', email: 'other@example.com' };
const everybody: Actor[] = [acme, colleague, bolt, buyer, otherBuyer, admin, viewer];

interface OutboxRow {
  key: string;
  version: number;
  messages: { topic: string; headers: Record<string, string>; value: string }[];
}

describe('fan-out', () => {
  const inbox = inboxForTests();
  beforeAll(async () => {
    for (const user of everybody) await inbox.see(userSeen(user));
  });

  const recipientsOf = async (historyId: string) => {
    const sql = 'SELECT user_id FROM notifications WHERE history_id = $1 ORDER BY user_id';
    return (await inbox.inspect<{ user_id: string }>(sql, [historyId])).map(({ user_id }) => user_id);
  };
  const published = async (historyId: string) => {
    const rows = await inbox.inspect<OutboxRow>('SELECT key, version, messages FROM outbox ORDER BY key');
    return rows.filter(({ messages }) => messages.some(({ value }) => value.includes(historyId)));
  };

  const userOf = ([message]: OutboxRow['messages']) => (JSON.parse(message?.value ?? '') as { userId: string }).userId;

  it.each(ANY_ACTION_NAMES.flatMap((action) => ACTOR_ROLES.map((role) => [action, role] as const)))(
    'notifies exactly the recipients of %s by %s, but not its actor, ADMIN or VIEWER',
    async (action, actorRole) => {
      const actor = everybody.find(({ role }) => role === actorRole);
      for (const buyerEmail of ['Buyer@EXAMPLE.com', 'nobody@example.com', '', null]) {
        const event = transition({ action, actorRole, actorId: actor?.sub ?? null, buyerEmail });
        await inbox.announce(event);
        const { vendor, buyers } = recipientsOfTransition(action, actorRole, buyerEmail === 'Buyer@EXAMPLE.com');
        const own = buyerEmail === 'Buyer@EXAMPLE.com' ? [buyer.sub] : [];
        const expected = [
          ...(vendor ? [acme.sub, colleague.sub] : []),
          ...{ none: [], own, every: [buyer.sub, otherBuyer.sub] }[buyers],
        ].filter((sub) => sub !== actor?.sub);
        expect(await recipientsOf(event.id)).toEqual(expected.toSorted());
        const announced = await published(event.id);
        expect(announced.map(({ messages }) => userOf(messages)).toSorted()).toEqual(expected.toSorted());
        expect(announced.filter(({ key }) => key !== event.poRef)).toEqual([]);
      }
    },
  );

  it('notifies nobody of a submission that a policy approved immediately, not even a user first seen later', async () => {
    const event = { ...transition({ action: 'SUBMIT', actorRole: 'VENDOR', buyerEmail: null }), autoApproved: true };
    await inbox.announce(event);
    await inbox.see(userSeen({ ...buyer, sub: 'u-buyer-3', email: 'third@example.com' }));
    expect([await recipientsOf(event.id), await published(event.id)]).toEqual([[], []]);
  });

  it('reuses the notification ids when an event is delivered again after a database restore', async () => {
    const event = transition({
      action: 'IMPORT',
      actorRole: 'SYSTEM',
      actorId: null,
      vendorCode: acme.vendorCode ?? '',
    });
    const late = userSeen({ ...acme, sub: 'u-acme-late' });
    const idsOf = () =>
      inbox.inspect('SELECT user_id, id FROM notifications WHERE history_id = $1 ORDER BY user_id', [event.id]);
    await inbox.announce(event);
    await inbox.see(late);
    const before = await idsOf();
    await inbox.inspect('DELETE FROM notifications WHERE history_id = $1', [event.id]);
    await inbox.inspect('DELETE FROM transitions WHERE history_id = $1', [event.id]);
    await inbox.announce(event);
    expect(before.map(({ user_id: user }) => user)).toContain(late.sub);
    for (const { id } of before) expect(z.uuid({ version: 'v8' }).parse(id)).toBe(id);
    expect(await idsOf()).toEqual(before);
  });

  it('publishes each notification for mail and chat gateways', async () => {
    const header = [{ field: 'xfDate', from: '2027-03-01', to: '2027-03-15' }];
    const row = { code: 'A-1', style: 'A', color: 'NVY', size: 'M', field: 'qty', from: 20, to: 15 };
    const lines = Array.from({ length: 13 }, (_, index) => ({ ...row, rowHash: `row-${index}` }));
    const occurredAt = new Date(Date.now() - 3_600_000).toISOString();
    const event = transition({
      buyerEmail: buyer.email,
      comment: 'please check',
      changes: { header, lines },
      occurredAt,
    });
    await inbox.announce(event);
    const [entry, ...others] = await published(event.id);
    expect(others).toEqual([]);
    const listed = (await inbox.list(buyer)).items[0];
    const [message] = entry?.messages ?? [];
    const created = NotificationCreated.strict().parse(JSON.parse(message?.value ?? ''));
    expect(created).toEqual({
      userId: buyer.sub,
      email: buyer.email,
      locale: 'en',
      ...listed,
      occurredAt,
      delivery: { mail: 'digest', timeZone: 'UTC', digestAt: '08:00' },
      changes: { header, lines: lines.slice(0, 10), more: 3 },
    });
    expect(entry).toMatchObject({ key: event.poRef, messages: [{ topic: 'po.notifications.v1' }] });
    expect(message?.headers).toEqual({
      ce_specversion: '1.0',
      ce_id: listed?.id,
      ce_type: 'notification.created.v1',
      ce_source: '/notifications',
      ce_subject: 'PO-1001',
      ce_time: listed?.createdAt,
      'content-type': 'application/json',
    });
  });

  it('includes the submitted changes in an approval by a policy, because the submission has no notification', async () => {
    const submittedChanges = { header: [{ field: 'factory', from: 'Ningbo 2', to: 'Dhaka 1' }], lines: [] };
    const event = { ...transition({ actorRole: 'SYSTEM', buyerEmail: buyer.email }), submittedChanges };
    await inbox.announce(event);
    const values = (await published(event.id)).flatMap(({ messages }) => messages.map(({ value }) => value));
    expect(values.length).toBeGreaterThan(0);
    for (const value of values) expect(JSON.parse(value)).toMatchObject({ changes: { ...submittedChanges, more: 0 } });
  });

  it('ignores a redelivered transition, even if users joined or moved in between', async () => {
    const event = sourceConflict();
    await inbox.announce(event);
    const before = [await recipientsOf(event.id), (await published(event.id)).length];
    await inbox.see(userSeen({ ...bolt, vendorCode: 'ACME' }));
    await inbox.announce(event);
    await Promise.all([inbox.announce(event), inbox.announce({ ...event, comment: 'changed' })]);
    expect([await recipientsOf(event.id), (await published(event.id)).length]).toEqual(before);
    await inbox.see(userSeen(bolt));
  });
});
