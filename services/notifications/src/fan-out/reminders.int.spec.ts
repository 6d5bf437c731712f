import { randomUUID } from 'node:crypto';
import { type Actor, NotificationCreated } from '@po/contracts';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { actors } from '@po/testing/actors';
import { inboxForTests, reminder, userSeen, transition } from '../fixtures/inbox.js';
import type { ReminderDue } from './events.js';

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();

describe('a reminder', () => {
  const inbox = inboxForTests();
  let vendor: Actor;
  let colleague: Actor;
  let buyer: Actor;
  let vendorCode: string;
  beforeEach(async () => {
    vendorCode = randomUUID();
    vendor = { ...actors.acme, sub: randomUUID(), vendorCode };
    colleague = { ...vendor, sub: randomUUID(), email: null };
    buyer = { ...actors.buyer, sub: randomUUID(), email: `${vendorCode}@example.com` };
    for (const user of [vendor, colleague, buyer]) await inbox.see(userSeen(user));
  });

  const due = (fields: Partial<ReminderDue> = {}) => reminder({ vendorCode, ...fields });
  const notified = async (entryId: string) => {
    const rows = await inbox.inspect<{ user_id: string }>('SELECT user_id FROM notifications WHERE history_id = $1', [
      entryId,
    ]);
    return rows.map(({ user_id }) => user_id).toSorted();
  };
  const published = async (title: string) => {
    const rows = await inbox.inspect<{ value: string }>(`SELECT messages -> 0 ->> 'value' AS value FROM outbox`);
    return rows
      .map(({ value }) => NotificationCreated.strict().parse(JSON.parse(value)))
      .filter((record) => record.title === title);
  };

  it('shows the order status without an actor, and its record adds the delivery settings', async () => {
    const event = due({ rule: 'APPROVAL_DUE', statusId: 200, step: 2, buyerEmail: buyer.email, title: randomUUID() });
    const dueAt = daysAgo(1);
    await inbox.remind(event, dueAt);
    const [listed] = (await inbox.list(buyer)).items;
    expect(listed).toMatchObject({
      kind: 'REMINDER',
      historyId: null,
      messageId: null,
      reminder: { rule: 'APPROVAL_DUE', dueOn: event.dueOn, step: 2 },
      action: null,
      fromStatusId: null,
      toStatusId: 200,
      toStatus: 'Pending Approval',
      toStatusZh: '待审批',
      comment: null,
      actorName: null,
      actorRole: 'SYSTEM',
      title: event.title,
      titleZh: event.titleZh,
    });
    expect(await published(event.title)).toEqual([
      {
        userId: buyer.sub,
        email: buyer.email,
        locale: 'en',
        ...listed,
        occurredAt: dueAt,
        delivery: { mail: 'now', timeZone: 'UTC', digestAt: '08:00' },
        changes: null,
      },
    ]);
    const { items } = await inbox.since(buyer, 0);
    expect(items.at(-1)?.notification).toEqual(listed);
  });

  it("is part of a first-seen user's backfill of the last 30 days, like a transition", async () => {
    const recent = due({ rule: 'EX_FACTORY_OVERDUE', title: 'recent' });
    const old = due({ title: 'old' });
    const entry = transition({ action: 'IMPORT', vendorCode, actorId: null, occurredAt: daysAgo(3) });
    await inbox.remind(recent, daysAgo(29.9));
    await inbox.remind(old, daysAgo(30.1));
    await inbox.announce(entry);
    const late: Actor = { ...vendor, sub: randomUUID() };
    await inbox.see(userSeen(late));
    const { items, total } = await inbox.list(late);
    expect(items.map(({ kind, historyId, title }) => [kind, historyId ?? title])).toEqual([
      ['TRANSITION', entry.id],
      ['REMINDER', 'recent'],
    ]);
    expect(total).toBe(2);
    expect(await inbox.list(late, { kind: ['REMINDER'] })).toMatchObject({ total: 1, unread: 2 });
  });

  it('with an unknown status or rule reaches the vendor and the buyer', async () => {
    const event = due({ rule: 'PAYMENT_DUE', statusId: 250, buyerEmail: buyer.email });
    await inbox.remind(event);
    expect(await notified(event.id)).toEqual([vendor.sub, colleague.sub, buyer.sub].toSorted());
    expect((await inbox.list(vendor)).items[0]).toMatchObject({ toStatusId: 250, toStatus: '250', toStatusZh: '250' });
  });
});
