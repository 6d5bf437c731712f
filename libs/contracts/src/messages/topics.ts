/** All topics of the system. A topics job creates missing ones and never changes existing ones. */
export const TOPICS = {
  inventory: 'inventory.purchase-orders.v1',
  commands: 'po.commands.v1',
  queries: 'po.queries.v1',
  notificationsRpc: 'notifications.rpc.v1',
  dashboardRpc: 'dashboard.rpc.v1',
  mailRpc: 'mail.rpc.v1',
  replies: 'rpc.replies.v1',
  transitions: 'po.transitions.v1',
  state: 'po.state.v1',
  messages: 'po.messages.v1',
  reminders: 'po.reminders.v1',
  notifications: 'po.notifications.v1',
  users: 'users.directory.v1',
} as const;
export type Topic = (typeof TOPICS)[keyof typeof TOPICS];

/** All consumer groups; each has its own dead-letter topic. */
export const GROUPS = {
  inventory: 'purchase-orders.inventory',
  commands: 'purchase-orders.commands',
  queries: 'purchase-orders.queries',
  directory: 'purchase-orders.directory',
  notificationsRpc: 'notifications.rpc',
  notificationsEvents: 'notifications.events',
  dashboardRpc: 'dashboard.rpc',
  dashboardEvents: 'dashboard.events',
  mailRpc: 'mail.rpc',
  mailEvents: 'mail.events',
} as const;
export type Group = (typeof GROUPS)[keyof typeof GROUPS];

/** Dead-letter topic of a group. `KAFKA_GROUP_SUFFIX` creates new groups, but not new dead-letter topics. */
export const deadLetterTopic = (group: Group): string => `${group}.dlq.v1`;

export interface TopicSpecification {
  topic: string;
  partitions: number;
  /** Milliseconds for which a record is kept, or 'compact' to keep the last record of each key forever. */
  retention: number | 'compact';
  /**
   * Requests and replies: those lost with a broker are sent again by another route. One replica each, so that an unavailable broker only
   * blocks the partitions that it leads: a replicated record becomes visible only when each replica has it or is known to be unavailable.
   */
  ephemeral?: boolean;
  maxMessageBytes: number;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MIB = 1024 * 1024;

/**
 * Limit of one uncompressed batch of records: many snapshots of 5,000 lines, of about 2 MiB each. More would exhaust a pod's memory: the
 * batch becomes one dead letter.
 */
export const MAX_BATCH_BYTES = 32 * MIB;

/** Maximum time until Kafka closes a segment, for records that are kept for more than four times as long. */
const SEGMENT_MS = DAY;
const COMPACTED_SEGMENT_BYTES = 64 * MIB;
/** Bytes of a partition with requests or replies: one user's imports into one order have one partition, and could fill a broker's disk. */
const EPHEMERAL_BYTES = 1024 * MIB;
const EPHEMERAL_SEGMENT_BYTES = EPHEMERAL_BYTES / 4;

/**
 * Kafka configuration of a topic. Kafka deletes whole segments, once their last record exceeds the retention and never while they are being
 * written: with its defaults of 7 days and 1 GiB, a busy topic with a retention of minutes would keep records for a week.
 */
export function topicSettings({
  retention,
  maxMessageBytes,
  ephemeral,
  minInsync,
}: TopicSpecification & { minInsync: number }): Record<string, string> {
  const all = {
    'max.message.bytes': String(maxMessageBytes),
    'min.insync.replicas': String(minInsync),
    // A deadline is in the time of the sender's clock, whose offset is derived from record timestamps set by the sender.
    'message.timestamp.type': 'CreateTime',
  };
  if (retention === 'compact') {
    return {
      ...all,
      'cleanup.policy': 'compact',
      // The active segment is never compacted: small segments limit what a new reader must read besides the last records.
      'segment.bytes': String(COMPACTED_SEGMENT_BYTES),
      // A consumer with less than an hour of lag sees every state, not only the last ones.
      'min.compaction.lag.ms': String(HOUR),
      // Also closes segments and compacts them even for a small gain, so that overwritten records are deleted.
      'max.compaction.lag.ms': String(DAY),
    };
  }
  return {
    ...all,
    'cleanup.policy': 'delete',
    'retention.ms': String(retention),
    'segment.ms': String(Math.min(SEGMENT_MS, Math.ceil(retention / 4))),
    ...(ephemeral && {
      'retention.bytes': String(EPHEMERAL_BYTES),
      'segment.bytes': String(EPHEMERAL_SEGMENT_BYTES),
    }),
  };
}

const specify = (topic: string, partitions: number, retention: number | 'compact', maxMessageBytes = 8 * MIB) => ({
  topic,
  partitions,
  retention,
  maxMessageBytes,
});

const ephemeral = (topic: string, partitions: number, retention: number) => ({
  ...specify(topic, partitions, retention),
  ephemeral: true,
});

export const REPLY_PARTITIONS = 24;

export const TOPIC_MANIFEST: readonly TopicSpecification[] = [
  specify(TOPICS.inventory, 12, 7 * DAY),
  ephemeral(TOPICS.commands, 12, DAY),
  ephemeral(TOPICS.queries, 12, 10 * MINUTE),
  ephemeral(TOPICS.notificationsRpc, 6, 10 * MINUTE),
  ephemeral(TOPICS.dashboardRpc, 6, 10 * MINUTE),
  ephemeral(TOPICS.mailRpc, 3, 10 * MINUTE),
  ephemeral(TOPICS.replies, REPLY_PARTITIONS, 10 * MINUTE),
  specify(TOPICS.transitions, 12, 30 * DAY),
  specify(TOPICS.state, 12, 'compact'),
  specify(TOPICS.messages, 6, 30 * DAY),
  specify(TOPICS.reminders, 6, 30 * DAY),
  specify(TOPICS.notifications, 6, 7 * DAY),
  specify(TOPICS.users, 6, 'compact'),
  // Dead-letter topics accept larger records than their sources: the original bytes plus the headers with the reason must fit.
  ...Object.values(GROUPS).map((group) => specify(deadLetterTopic(group), 3, 30 * DAY, 10 * MIB)),
];
