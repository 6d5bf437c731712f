/** Every topic of the system, once. A topics job creates what is missing and never changes what is there. */
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

/** Every consumer group; each has a dead-letter topic of its own. */
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

/** Where a group's poison goes. `KAFKA_GROUP_SUFFIX` makes new groups, not new dead-letter topics. */
export const deadLetterTopic = (group: Group): string => `${group}.dlq.v1`;

export interface TopicSpecification {
  topic: string;
  partitions: number;
  /** Milliseconds a record is kept, or 'compact' for the last record of each key for ever. */
  retention: number | 'compact';
  /**
   * Requests and answers: what is lost of them with a broker is asked again another way. One replica each, so that a broker that is away
   * holds up what it leads and nothing else; a record with replicas is shown to nobody before the last of them is known to be gone.
   */
  ephemeral?: boolean;
  maxMessageBytes: number;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MIB = 1024 * 1024;

/** Kafka closes a segment after this time at the latest, where records are kept for longer than four times of it. */
const SEGMENT_MS = DAY;
const COMPACTED_SEGMENT_BYTES = 64 * MIB;

/**
 * What Kafka is told of a topic, by its own names. Records are deleted by whole segments, a segment once its last record is past
 * retention and never while it is written: with Kafka's own 7 days and 1 GiB a busy topic would keep minutes for a week.
 */
export function topicSettings({
  retention,
  maxMessageBytes,
  minInsync,
}: TopicSpecification & { minInsync: number }): Record<string, string> {
  const all = {
    'max.message.bytes': String(maxMessageBytes),
    'min.insync.replicas': String(minInsync),
    // A request's deadline is of its sender's clock, which is known by the times that the sender gives to records.
    'message.timestamp.type': 'CreateTime',
  };
  if (retention === 'compact') {
    return {
      ...all,
      'cleanup.policy': 'compact',
      // What is written now is never compacted: small segments bound what a new reader must read beside the last records.
      'segment.bytes': String(COMPACTED_SEGMENT_BYTES),
      // Whoever reads within an hour sees every state, and not the last ones alone.
      'min.compaction.lag.ms': String(HOUR),
      // Closes a segment too, and compacts it however little is to be gained: what was overwritten goes.
      'max.compaction.lag.ms': String(DAY),
    };
  }
  return {
    ...all,
    'cleanup.policy': 'delete',
    'retention.ms': String(retention),
    'segment.ms': String(Math.min(SEGMENT_MS, Math.ceil(retention / 4))),
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
  // The original bytes plus the headers that say why must fit, so a dead-letter topic takes more than its source.
  ...Object.values(GROUPS).map((group) => specify(deadLetterTopic(group), 3, 30 * DAY, 10 * MIB)),
];
