import { randomUUID } from 'node:crypto';
import type { Actor, Notification, NotificationsQuery, NotificationsSince, UserSeen } from '@po/contracts';
import { statusOf } from '@po/contracts';
import { migrate } from '@po/database';
import { OutboxRelay, connectKafka } from '@po/messaging';
import { childTraceparent, createLogger } from '@po/platform';
import pg from 'pg';
import { Databases } from '../../services/notifications/src/store/databases.js';
import { MovedInboxes } from '../../services/notifications/src/inbox/moved-inboxes.js';
import { FanOutService } from '../../services/notifications/src/fan-out/fan-out.service.js';
import { MIGRATIONS } from '../../services/notifications/src/migrations/migrations.js';
import { NotificationsQueries } from '../../services/notifications/src/inbox/notifications.queries.js';
import { NotificationsService } from '../../services/notifications/src/inbox/notifications.service.js';
import type { Transition } from '../../services/notifications/src/store/transition.entity.js';
import { UsersService } from '../../services/notifications/src/fan-out/users.service.js';
import { actors } from './actors.js';
import type { DatabaseUrls } from '../../deploy/local/stores/databases.js';
import { type Content, testDatabases } from './databases.js';

const logger = createLogger('test', 'silent');

const MIGRATED: Content = {
  name: 'inboxes',
  fill: async ({ notifications }) => void (await migrate(notifications.migrations, MIGRATIONS, logger)),
};

interface Inboxes {
  urls: DatabaseUrls['notifications'];
}

/**
 * The notifications service over a database of its own, or as a second process beside another, without Kafka: what it would publish
 * stays in the outbox.
 */
export async function openInbox({ migrated = true, besides }: { migrated?: boolean; besides?: Inboxes } = {}) {
  const { notifications: urls, drop } = besides
    ? { notifications: besides.urls, drop: () => Promise.resolve() }
    : await testDatabases(migrated ? MIGRATED : undefined);
  const databases = new Databases({ internalUrl: urls.internal, userUrl: urls.user, poolSize: 8, logger });
  await databases.connect();
  const relay = new OutboxRelay({
    pool: () => databases.internal.connectionPool,
    kafka: connectKafka({ KAFKA_BROKERS: ['127.0.0.1:1'] }, 'never-connected', logger),
    logger,
    instanceId: 'never-started',
  });
  const told: string[] = [];
  const moved = new MovedInboxes((whose) => Promise.resolve(told.push(...whose.split(','))));
  const fanOut = new FanOutService(databases, relay, moved);
  const users = new UsersService(databases, moved);
  const notifications = new NotificationsService(databases, moved);
  const queries = new NotificationsQueries(databases);
  const inspection = new pg.Client({ connectionString: urls.inspection });
  await inspection.connect();
  return {
    databases,
    moved,
    urls,
    /** Hashes of users whose inboxes gateways were told of, and EVERYBODY. */
    told,
    announce: (event: Transition) => fanOut.transitioned(event, childTraceparent(undefined)),
    see: (user: UserSeen) => users.seen(user),
    mark: (actor: Actor, id: string, commandId: string = randomUUID()) =>
      notifications.markRead(actor, { id }, commandId),
    list: async (actor: Actor, query: Partial<NotificationsQuery> = {}) => {
      const { body, headers } = await queries.list(actor, { limit: 200, ...query });
      const [total, unread] = [headers['x-total-count'], headers['x-unread-count']].map(Number);
      return { items: body as Notification[], total, unread };
    },
    since: async (actor: Actor, after: string | number | null, limit = 50) =>
      (await queries.since(actor, { after, limit })).body as NotificationsSince,
    unreadCount: async (actor: Actor) =>
      ((await queries.unreadCount(actor)).body as { unreadNotifications: number }).unreadNotifications,
    inspect: async <Row extends pg.QueryResultRow>(sql: string, values: unknown[] = []) =>
      (await inspection.query<Row>(sql, values)).rows,
    close: async () => {
      await inspection.end();
      await databases.close();
      await drop();
    },
  };
}

export type OpenInbox = Awaited<ReturnType<typeof openInbox>>;

/** A transition as announced: by default ACME's vendor submits an order of a buyer that is not in the directory. */
export function transition(fields: Partial<Transition> = {}): Transition {
  const { toStatusId = 200 } = fields;
  const { status, statusZh, statusColor } = statusOf(toStatusId);
  return {
    id: randomUUID(),
    poRef: 'PO-1001',
    poNumber: 'PO-1001',
    vendorCode: 'ACME',
    vendor: 'Acme Apparel',
    buyerEmail: null,
    action: 'SUBMIT',
    fromStatusId: 100,
    toStatusId,
    toStatus: status,
    toStatusZh: statusZh,
    statusColor,
    comment: null,
    actorId: actors.acme.sub,
    actorName: actors.acme.name,
    actorRole: 'VENDOR',
    occurredAt: new Date().toISOString(),
    ...fields,
  };
}

/** What every buyer is told of: nobody among the users did it. */
export const sourceConflict = (fields: Partial<Transition> = {}): Transition =>
  transition({
    action: 'SOURCE_CONFLICT',
    fromStatusId: 400,
    toStatusId: 400,
    actorId: null,
    actorName: null,
    actorRole: 'SYSTEM',
    ...fields,
  });

let tick = Date.now();
/** A user as announced, each call later than the one before. */
export const seen = (actor: Actor, fields: Partial<UserSeen> = {}): UserSeen => ({
  ...actor,
  seenAt: new Date((tick += 1)).toISOString(),
  ...fields,
});
