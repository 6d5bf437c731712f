import { TOPICS, TOPIC_MANIFEST, deadLetterTopic } from '@po/contracts';
import { subscriptions as dashboard } from '@po/dashboard/dist/subscriptions.js';
import { subscriptions as mail } from '@po/mail/dist/subscriptions.js';
import { subscriptions as notifications } from '@po/notifications/dist/subscriptions.js';
import { subscriptions as purchaseOrders } from '@po/purchase-orders/dist/subscriptions.js';

/** By Kafka's own names. Whoever may read or write may describe too. */
export type Operation = 'Create' | 'Describe' | 'DescribeConfigs' | 'Read' | 'Write';

/** What a user may do with a topic, or with groups whose names begin so. */
export interface Rule {
  resource: 'topic' | 'group';
  name: string;
  operations: readonly Operation[];
}

interface Access {
  reads: readonly string[];
  groups: readonly string[];
  writes: readonly string[];
}

/** What each service takes. */
export const SUBSCRIPTIONS = [purchaseOrders(1), notifications(1), dashboard(), mail(1)];

/** What a service behind Kafka does: it reads what it subscribes to, answers, and sets aside the events that it cannot handle. */
function servicing({ rpc, events }: ReturnType<typeof dashboard>, writes: readonly string[]): Access {
  return {
    reads: [...rpc.map(({ topic }) => topic), ...events.flatMap(({ topics }) => topics)],
    groups: [...rpc, ...events].map(({ group }) => group),
    writes: [TOPICS.replies, ...events.map(({ group }) => deadLetterTopic(group)), ...writes],
  };
}

/** Whoever asks others reads the answers without a group, and writes to where they come to see that they do. */
const asking = (topics: readonly string[]): Access => ({
  reads: [TOPICS.replies],
  groups: [],
  writes: [TOPICS.replies, ...topics],
});

const both = (one: Access, other: Access): Access => ({
  reads: [...one.reads, ...other.reads],
  groups: [...one.groups, ...other.groups],
  writes: [...one.writes, ...other.writes],
});

const REQUESTS = [TOPICS.commands, TOPICS.queries, TOPICS.notificationsRpc, TOPICS.dashboardRpc, TOPICS.mailRpc];

/** Who reads and writes which topic, by the users' names. */
const ACCESS: Readonly<Record<string, Access>> = {
  'po-gateway': asking([...REQUESTS, TOPICS.users]),
  'po-purchase-orders': servicing(purchaseOrders(1), [
    TOPICS.transitions,
    TOPICS.state,
    TOPICS.messages,
    TOPICS.reminders,
  ]),
  'po-notifications': servicing(notifications(1), [TOPICS.notifications, TOPICS.users]),
  'po-dashboard': both(servicing(dashboard(), []), asking([TOPICS.queries])),
  'po-mail': both(servicing(mail(1), []), asking([TOPICS.notificationsRpc])),
  // People who list dead letters, of every group, and send them back to where they came from, but not behind newer records of a key.
  'po-dead-letters': {
    reads: TOPIC_MANIFEST.filter(({ topic, retention }) => topic.endsWith('.dlq.v1') || retention === 'compact').map(
      ({ topic }) => topic,
    ),
    groups: [],
    writes: SUBSCRIPTIONS.flatMap(({ events }) => events.flatMap(({ topics }) => topics)),
  },
};

const once = <T>(values: readonly T[]): T[] => [...new Set(values)];

function rulesOf({ reads, groups, writes }: Access): Rule[] {
  const topics = once([...reads, ...writes]).map((name): Rule => {
    const [reading, writing] = [reads.includes(name), writes.includes(name)];
    return {
      resource: 'topic',
      name,
      operations: [...(reading ? ['Read' as const] : []), ...(writing ? ['Write' as const] : [])],
    };
  });
  return [
    ...topics,
    // With KAFKA_GROUP_SUFFIX a group's name goes on.
    ...once(groups).map((name): Rule => ({ resource: 'group', name, operations: ['Read'] })),
  ];
}

/** All that each user may do. */
export const KAFKA_USERS: Readonly<Record<string, readonly Rule[]>> = {
  ...Object.fromEntries(Object.entries(ACCESS).map(([name, access]) => [name, rulesOf(access)])),
  'po-topics': TOPIC_MANIFEST.map(({ topic }): Rule => ({
    resource: 'topic',
    name: topic,
    operations: ['Create', 'Describe', 'DescribeConfigs'],
  })),
};
