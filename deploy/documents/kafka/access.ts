import { TOPICS, TOPIC_MANIFEST, deadLetterTopic } from '@po/contracts';
import { subscriptions as dashboard } from '@po/dashboard/dist/subscriptions.js';
import { subscriptions as mail } from '@po/mail/dist/subscriptions.js';
import { subscriptions as notifications } from '@po/notifications/dist/subscriptions.js';
import { subscriptions as purchaseOrders } from '@po/purchase-orders/dist/subscriptions.js';

/** Kafka ACL operations. Read and Write imply Describe. */
export type Operation = 'Create' | 'Describe' | 'DescribeConfigs' | 'Read' | 'Write';

/** Operations that a user may perform on a topic, or on groups with this name prefix. */
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

/** Subscriptions of each service. */
export const SUBSCRIPTIONS = [purchaseOrders(1), notifications(1), dashboard(), mail(1)];

/** Access of a service behind Kafka: it reads its subscriptions, writes replies, and writes dead letters for unprocessable events. */
function serviceAccess({ rpc, events }: ReturnType<typeof dashboard>, writes: readonly string[]): Access {
  return {
    reads: [...rpc.map(({ topic }) => topic), ...events.flatMap(({ topics }) => topics)],
    groups: [...rpc, ...events].map(({ group }) => group),
    writes: [TOPICS.replies, ...events.map(({ group }) => deadLetterTopic(group)), ...writes],
  };
}

/** Access of an RPC client: it reads replies without a group, and also writes to the reply topic to check that replies arrive. */
const clientAccess = (topics: readonly string[]): Access => ({
  reads: [TOPICS.replies],
  groups: [],
  writes: [TOPICS.replies, ...topics],
});

const combined = (one: Access, other: Access): Access => ({
  reads: [...one.reads, ...other.reads],
  groups: [...one.groups, ...other.groups],
  writes: [...one.writes, ...other.writes],
});

const REQUESTS = [TOPICS.commands, TOPICS.queries, TOPICS.notificationsRpc, TOPICS.dashboardRpc, TOPICS.mailRpc];

/** Topics and groups of each user, by user name. */
const ACCESS: Readonly<Record<string, Access>> = {
  'po-gateway': clientAccess([...REQUESTS, TOPICS.users]),
  'po-purchase-orders': serviceAccess(purchaseOrders(1), [
    TOPICS.transitions,
    TOPICS.state,
    TOPICS.messages,
    TOPICS.reminders,
  ]),
  'po-notifications': serviceAccess(notifications(1), [TOPICS.notifications, TOPICS.users]),
  'po-dashboard': combined(serviceAccess(dashboard(), []), clientAccess([TOPICS.queries])),
  'po-mail': combined(serviceAccess(mail(1), []), clientAccess([TOPICS.notificationsRpc])),
  // People who list the dead letters of all groups and send them back to their original topics. They read the compacted topics to avoid
  // sending a record behind a newer one of the same key.
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
    // The name is a prefix, because KAFKA_GROUP_SUFFIX may be appended.
    ...once(groups).map((name): Rule => ({ resource: 'group', name, operations: ['Read'] })),
  ];
}

/** Permissions of each Kafka user. */
export const KAFKA_USERS: Readonly<Record<string, readonly Rule[]>> = {
  ...Object.fromEntries(Object.entries(ACCESS).map(([name, access]) => [name, rulesOf(access)])),
  'po-topics': TOPIC_MANIFEST.map(({ topic }): Rule => ({
    resource: 'topic',
    name: topic,
    operations: ['Create', 'Describe', 'DescribeConfigs'],
  })),
};
