import type { z } from 'zod';
import { ExecuteTransition, MarkRead, UpdateHeader, UpdateLines } from './commands.js';
import { ActionsQuery, DetailQuery, ListQuery, NoParameters, NotificationsQuery, OrderQuery } from './queries.js';
import { TOPICS, type Topic } from './topics.js';

/**
 * One question or command on the wire: its `x-msg-type`, the topic it travels on and the schema of its value. A `command`
 * changes something: it is keyed, waits longer, is sent once and is deduplicated by the service that takes it.
 */
export interface RpcPattern<Schema extends z.ZodType = z.ZodType> {
  type: string;
  topic: Topic;
  kind: 'query' | 'command';
  schema: Schema;
}

const pattern = <Schema extends z.ZodType>(
  kind: RpcPattern['kind'],
  topic: Topic,
  type: string,
  schema: Schema,
): RpcPattern<Schema> => ({ kind, topic, type, schema });

/** Every request that crosses Kafka. Controllers bind `PATTERNS.x.type`, clients send `PATTERNS.x`. */
export const PATTERNS = {
  updateHeader: pattern('command', TOPICS.commands, 'purchase-order.update-header', UpdateHeader),
  updateLines: pattern('command', TOPICS.commands, 'purchase-order.update-lines', UpdateLines),
  transition: pattern('command', TOPICS.commands, 'purchase-order.transition', ExecuteTransition),

  list: pattern('query', TOPICS.queries, 'purchase-orders.list', ListQuery),
  detail: pattern('query', TOPICS.queries, 'purchase-orders.detail', DetailQuery),
  lineItems: pattern('query', TOPICS.queries, 'purchase-orders.line-items', OrderQuery),
  history: pattern('query', TOPICS.queries, 'purchase-orders.history', OrderQuery),
  actions: pattern('query', TOPICS.queries, 'lookups.actions', ActionsQuery),
  filters: pattern('query', TOPICS.queries, 'lookups.filters', NoParameters),
  profile: pattern('query', TOPICS.queries, 'lookups.profile', NoParameters),
  statusCounts: pattern('query', TOPICS.queries, 'purchase-orders.status-counts', NoParameters),
  latestActivity: pattern('query', TOPICS.queries, 'purchase-orders.latest-activity', NoParameters),

  notifications: pattern('query', TOPICS.notificationsRpc, 'notifications.list', NotificationsQuery),
  unreadCount: pattern('query', TOPICS.notificationsRpc, 'notifications.unread-count', NoParameters),
  markRead: pattern('command', TOPICS.notificationsRpc, 'notifications.mark-read', MarkRead),

  kpis: pattern('query', TOPICS.dashboardRpc, 'dashboard.kpis', NoParameters),
  recentActivity: pattern('query', TOPICS.dashboardRpc, 'dashboard.recent-activity', NoParameters),
} as const;
