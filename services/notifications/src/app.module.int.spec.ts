import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import {
  EVENT_TYPES,
  GROUPS,
  NotificationCreated,
  PATTERNS,
  type Preferences,
  TOPICS,
  type Topic,
  deadLetterTopic,
} from '@po/contracts';
import { OutboxRelay, Publisher, cloudEventHeaders, connectKafka, ensureTopics, readTopic } from '@po/messaging';
import { createLogger } from '@po/platform';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { actors } from '@po/testing/actors';
import { eventually } from '@po/testing/eventually';
import { type OpenInbox, openInbox, reminder, userSeen, transition } from './fixtures/inbox.js';
import { type StartedService, startService } from '@po/messaging/testing';
import { kafkaBrokers } from '@po/testing/stores';
import { AppModule } from './app.module.js';
import { subscriptions } from './subscriptions.js';

const logger = createLogger('test', 'silent');
const user = { ...actors.acme, sub: randomUUID(), vendorCode: randomUUID() };

describe('the notifications service on a real Kafka', () => {
  const kafka = connectKafka({ KAFKA_BROKERS: kafkaBrokers() }, 'notifications-test', logger);
  const publisher = new Publisher(kafka, { acks: 'all', logger });
  let inbox: OpenInbox;
  let relay: OutboxRelay;
  let service: StartedService;

  beforeAll(async () => {
    inbox = await openInbox();
    await ensureTopics(kafka, logger, { replication: 1 });
    const { databases, signals, userRetention, defaults } = inbox;
    relay = new OutboxRelay({ pool: () => databases.internal.connectionPool, kafka, logger, instanceId: randomUUID() });
    relay.start();
    const module = AppModule.register({ databases, relay, signals, userRetention, defaults });
    service = await startService(module, { kafka, groupSuffix: `-${randomUUID()}`, ...subscriptions(8) });
    publisher.connect();
  });

  afterAll(async () => {
    await service.close();
    await relay.stop();
    await publisher.close();
    await inbox.close();
  });

  const publish = (topic: Topic, type: string, key: string, value: unknown, time = new Date().toISOString()) =>
    publisher.send({
      topic,
      key,
      value: JSON.stringify(value),
      headers: cloudEventHeaders({
        id: randomUUID(),
        type,
        source: '/test',
        subject: key,
        time,
      }),
    });
  const ask = (pattern: (typeof PATTERNS)[keyof typeof PATTERNS], payload: unknown) =>
    service.ask(pattern, payload, user);
  const list = async () => {
    const { status, headers, body } = await ask(PATTERNS.notifications, { limit: 10 });
    return {
      status,
      headers,
      items: JSON.parse(body.toString()) as { id: string; kind: string; historyId: string; read: boolean }[],
    };
  };
  const recordsOf = async (topic: string, id: string) => {
    const found: { value: string; headers: Readonly<Record<string, string>> }[] = [];
    await readTopic(kafka, topic, ({ value, headers }) => {
      if (value?.includes(id)) found.push({ value: value.toString(), headers });
    });
    return found;
  };

  it('turns a transition into a notification that is published, listed and marked as read', async () => {
    expect(service.unhandled).toEqual([]);
    await publish(TOPICS.users, EVENT_TYPES.userSeen, user.sub, { ...userSeen(user), claimOfTomorrow: true });
    await eventually('the user is in the directory', async () => {
      const known = await inbox.inspect('SELECT 1 FROM users WHERE user_id = $1', [user.sub]);
      return known.length === 1;
    });
    const event = transition({
      action: 'APPROVE',
      vendorCode: user.vendorCode,
      actorId: 'u-buyer',
      actorRole: 'BUYER',
    });
    for (const times of [1, 2]) {
      await publish(TOPICS.transitions, EVENT_TYPES.transitioned, event.poRef, { ...event, times });
    }
    const item = await eventually('the vendor sees the notification', async () => (await list()).items[0]);
    expect(item).toMatchObject({ historyId: event.id, read: false });
    const [created] = await eventually('the notification is published', async () => {
      const records = await recordsOf(TOPICS.notifications, event.id);
      return records.length > 0 && records;
    });
    expect(JSON.parse(created?.value ?? '') as NotificationCreated).toMatchObject({
      ...item,
      userId: user.sub,
      locale: 'zh',
    });
    expect(created?.headers).toMatchObject({ ce_id: item.id, ce_type: EVENT_TYPES.notificationCreated });

    const { headers } = await list();
    expect(headers).toMatchObject({ 'x-total-count': '1', 'x-unread-count': '1' });
    const marked = await ask(PATTERNS.markRead, { id: item.id });
    expect([marked.status, marked.body.toString()]).toEqual([200, '{"success":true}']);
    const counted = await ask(PATTERNS.unreadCount, {});
    expect([counted.status, counted.body.toString()]).toEqual([200, '{"unreadNotifications":0}']);
    const since = await ask(PATTERNS.notificationsSince, { after: 0, limit: 10 });
    expect([since.status, JSON.parse(since.body.toString())]).toEqual([
      200,
      expect.objectContaining({ items: [{ number: 1, notification: (await list()).items[0] }], unread: 0 }),
    ]);
    const refused = await ask(PATTERNS.markRead, { id: 'nobody' });
    expect([refused.status, JSON.parse(refused.body.toString())]).toEqual([
      404,
      expect.objectContaining({ code: 'NOTIFICATION_NOT_FOUND' }),
    ]);
    expect((await list()).items).toHaveLength(1);
  });

  it("dates a reminder's notification by its record and dead-letters an invalid reminder", async () => {
    const event = reminder({ vendorCode: user.vendorCode });
    const broken = { ...reminder({ vendorCode: user.vendorCode }), statusId: 'DANCE' };
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString();
    for (const value of [broken, { ...event, since: 'tomorrow' }, event]) {
      await publish(TOPICS.reminders, EVENT_TYPES.reminderDue, event.poRef, value, hourAgo);
    }
    await eventually('the vendor sees the reminder', async () =>
      (await list()).items.some(({ kind }) => kind === 'REMINDER'),
    );
    const [stored] = await inbox.inspect('SELECT occurred_at FROM transitions WHERE history_id = $1', [event.id]);
    expect(stored).toEqual({ occurred_at: new Date(hourAgo) });
    const [dead] = await eventually('the invalid reminder is dead-lettered', async () => {
      const records = await recordsOf(deadLetterTopic(GROUPS.notificationsEvents), broken.id);
      return records.length > 0 && records;
    });
    expect(dead?.headers['x-dlq-reason']).toContain('/statusId');
  });

  it("publishes a reminder without a valid time in its record's headers in a form that the topic allows", async () => {
    const dueOn = new Date().toISOString().slice(0, 10);
    const event = reminder({ vendorCode: user.vendorCode, dueOn, title: randomUUID() });
    await publish(TOPICS.reminders, EVENT_TYPES.reminderDue, event.poRef, event, 'today');
    const [record] = await eventually('the reminder is published', async () => {
      const records = await recordsOf(TOPICS.notifications, event.title);
      return records.length > 0 && records;
    });
    expect(NotificationCreated.parse(JSON.parse(record?.value ?? '')).occurredAt).toBe(`${dueOn}T00:00:00.000Z`);
  });

  it('stores preferences and answers with their new version', async () => {
    const before = await ask(PATTERNS.preferences, {});
    expect([before.status, before.headers]).toEqual([200, expect.objectContaining({ etag: '"0"' })]);
    const chosen = { ...(JSON.parse(before.body.toString()) as Preferences), digestAt: '18:30' };
    const after = await ask(PATTERNS.replacePreferences, chosen);
    expect([after.status, after.headers.etag, JSON.parse(after.body.toString())]).toEqual([200, '"1"', chosen]);
  });

  it('accepts an action and a role that only a newer version knows', async () => {
    const auditor = { ...userSeen({ ...user, sub: randomUUID() }), role: 'AUDITOR' };
    await publish(TOPICS.users, EVENT_TYPES.userSeen, auditor.sub, auditor);
    const event = transition({
      action: 'REOPEN',
      vendorCode: user.vendorCode,
      actorRole: 'AUDITOR',
      actorId: 'u-auditor',
    });
    await publish(TOPICS.transitions, EVENT_TYPES.transitioned, event.poRef, { ...event, since: 'tomorrow' });
    const item = await eventually('the vendor sees it', async () =>
      (await list()).items.find(({ historyId }) => historyId === event.id),
    );
    expect(item).toMatchObject({ action: 'REOPEN', title: 'PO-1001: REOPEN → Pending Approval by Li Wei' });
    await eventually('the user is in the directory', async () => {
      const known = await inbox.inspect('SELECT 1 FROM users WHERE user_id = $1 AND role = $2', [
        auditor.sub,
        'AUDITOR',
      ]);
      return known.length === 1;
    });
  });

  it('dead-letters unreadable events and continues with the next one', async () => {
    const broken = { ...transition({ vendorCode: user.vendorCode }), toStatusId: 'DANCE' };
    const endless = { ...userSeen({ ...user, sub: randomUUID() }), vendorCode: 'x'.repeat(3_000) };
    await publish(TOPICS.users, EVENT_TYPES.userSeen, endless.sub, endless);
    const good = transition({ action: 'IMPORT', vendorCode: user.vendorCode, actorId: null, actorRole: 'SYSTEM' });
    await publish(TOPICS.transitions, EVENT_TYPES.transitioned, 'PO-1001', broken);
    await publish(TOPICS.transitions, EVENT_TYPES.transitioned, 'PO-1001', good);
    await eventually('the valid event behind the invalid one arrives', async () =>
      (await list()).items.some(({ historyId }) => historyId === good.id),
    );
    const [dead] = await recordsOf(deadLetterTopic(GROUPS.notificationsEvents), broken.id);
    expect(dead?.headers['x-dlq-reason']).toContain('/toStatusId');
    const [tooLong] = await eventually('the oversized claim is dead-lettered', async () => {
      const records = await recordsOf(deadLetterTopic(GROUPS.notificationsEvents), endless.sub);
      return records.length > 0 && records;
    });
    expect(tooLong?.headers['x-dlq-reason']).toContain('/vendorCode');
  });
});
