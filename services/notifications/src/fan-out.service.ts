import { Injectable } from '@nestjs/common';
import { EVENT_TYPES, type NotificationCreated, TOPICS } from '@po/contracts';
import { OutboxRelay, cloudEventHeaders, writeOutbox } from '@po/messaging';
import { Counter } from 'prom-client';
import type { EntityManager } from 'typeorm';
import { Databases } from './databases.js';
import { RECEIVES, holdDirectory } from './directory.js';
import { AUDIENCE_OF_USER } from './inbox.js';
import { notificationView } from './notification.view.js';
import { audienceOf } from './recipients.js';
import { type Transition, TransitionCopy } from './transition.entity.js';

interface Delivery {
  id: string;
  userId: string;
  seq: number;
  createdAt: Date;
  email: string | null;
  locale: string | null;
}

const duplicates = new Counter({
  name: 'inbox_duplicates_total',
  help: 'Transitions that came again and changed nothing',
});

/** Turns a transition into the notifications of everybody it concerns. */
@Injectable()
export class FanOutService {
  constructor(
    private readonly databases: Databases,
    private readonly relay: OutboxRelay,
  ) {}

  /** Stores the transition and its notifications, and announces them, in one transaction. A transition known by id changes nothing. */
  async transitioned(event: Transition, traceparent: string): Promise<void> {
    const announced = await this.databases.internal.transaction(null, async (manager) => {
      await holdDirectory(manager);
      const copy = await storeCopy(manager, event);
      if (!copy) return null;
      const deliveries = await deliver(manager, event.id);
      for (const delivery of deliveries) await announce(manager, copy, delivery, traceparent);
      return deliveries.length;
    });
    if (announced === null) duplicates.inc();
    else if (announced > 0) this.relay.wake();
  }
}

async function storeCopy(manager: EntityManager, event: Transition): Promise<TransitionCopy | null> {
  const [{ email, known }] = await manager.query<[{ email: string | null; known: boolean }]>(
    `SELECT e.email, EXISTS (SELECT 1 FROM users WHERE role = 'BUYER' AND lower(email) = e.email) AS known
       FROM (SELECT lower(NULLIF($1::text, '')) AS email) e`,
    [event.buyerEmail],
  );
  const { id, occurredAt, ...fields } = event;
  const { vendor, buyers } = audienceOf(event.action, event.actorRole, known);
  const copy: TransitionCopy = {
    ...fields,
    historyId: id,
    occurredAt: new Date(occurredAt),
    buyerEmail: email,
    toVendor: vendor,
    toBuyers: buyers,
  };
  const inserted = await manager
    .createQueryBuilder()
    .insert()
    .into(TransitionCopy)
    .values(copy)
    .orIgnore()
    .returning('history_id')
    .execute();
  return (inserted.raw as unknown[]).length === 1 ? copy : null;
}

async function deliver(manager: EntityManager, historyId: string): Promise<Delivery[]> {
  // Locked in sorted order, before any row is touched: two fan-outs that share users would deadlock otherwise.
  const recipients = await manager.query<{ userId: string }[]>(
    `SELECT u.user_id AS "userId" FROM users u, transitions t
      WHERE t.history_id = $1 AND ((${RECEIVES.VENDOR}) OR (${RECEIVES.BUYER}))
      ORDER BY u.user_id FOR NO KEY UPDATE OF u`,
    [historyId],
  );
  if (recipients.length === 0) return [];
  return manager.query<Delivery[]>(
    `WITH numbered AS (
       UPDATE users u SET last_seq = last_seq + 1 WHERE user_id = ANY($2)
       RETURNING user_id, last_seq, email, locale, ${AUDIENCE_OF_USER} AS audience
     ), made AS (
       INSERT INTO notifications (user_id, audience, seq, history_id, created_at)
       SELECT user_id, audience, last_seq, $1, statement_timestamp() FROM numbered
       RETURNING id, user_id, seq, created_at
     )
     SELECT id, user_id AS "userId", seq, created_at AS "createdAt", email, locale
       FROM made JOIN numbered USING (user_id) ORDER BY user_id`,
    [historyId, recipients.map(({ userId }) => userId)],
  );
}

async function announce(
  manager: EntityManager,
  copy: TransitionCopy,
  { id, userId, seq, createdAt, email, locale }: Delivery,
  traceparent: string,
): Promise<void> {
  const notification: NotificationCreated = {
    userId,
    email,
    locale,
    ...notificationView(copy, { id, createdAt, readAt: null }),
  };
  const headers = cloudEventHeaders({
    id,
    type: EVENT_TYPES.notificationCreated,
    source: '/notifications',
    subject: copy.poRef,
    time: notification.createdAt,
  });
  await writeOutbox((sql, values) => manager.query(sql, values), {
    key: copy.poRef,
    version: seq,
    messages: [{ topic: TOPICS.notifications, headers, value: JSON.stringify(notification) }],
    traceparent,
  });
}
