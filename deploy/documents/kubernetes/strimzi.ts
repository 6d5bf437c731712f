import { TOPICS, TOPIC_MANIFEST, deadLetterTopic, topicSettings } from '@po/contracts';
import { subscriptions as dashboard } from '@po/dashboard/dist/subscriptions.js';
import { READING_GROUPS } from '@po/messaging';
import { subscriptions as notifications } from '@po/notifications/dist/subscriptions.js';
import { subscriptions as purchaseOrders } from '@po/purchase-orders/dist/subscriptions.js';
import { stringify } from 'yaml';

const API = 'kafka.strimzi.io/v1';
const LABELS = { 'strimzi.io/cluster': 'kafka' };
const REPLICAS = 3;

interface Access {
  reads: readonly string[];
  groups: readonly string[];
  writes: readonly string[];
  /** Whether it reads topics from their beginning, once, in groups that it deletes. */
  rebuilds?: boolean;
}

/** What a service behind Kafka does: it reads what it subscribes to, answers, and sets aside what it cannot handle. */
function servicing({ rpc, events }: ReturnType<typeof dashboard>, writes: readonly string[]): Access {
  const groups = [...rpc, ...events].map(({ group }) => group);
  return {
    reads: [...rpc.map(({ topic }) => topic), ...events.flatMap(({ topics }) => topics)],
    groups,
    writes: [TOPICS.replies, ...groups.map(deadLetterTopic), ...writes],
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

const REQUESTS = [TOPICS.commands, TOPICS.queries, TOPICS.notificationsRpc, TOPICS.dashboardRpc];

/** Who reads and writes which topic, by the users' names. */
const ACCESS: Record<string, Access> = {
  'po-gateway': asking([...REQUESTS, TOPICS.users]),
  'po-purchase-orders': servicing(purchaseOrders(1), [TOPICS.transitions, TOPICS.state]),
  'po-notifications': servicing(notifications(1), [TOPICS.notifications]),
  'po-dashboard': { ...both(servicing(dashboard(), []), asking([TOPICS.queries])), rebuilds: true },
};

const rule = (type: 'topic' | 'group', name: string, operations: string[], patternType = 'literal') => ({
  resource: { type, name, patternType },
  operations,
});

const user = (name: string, acls: object[]) => ({
  apiVersion: API,
  kind: 'KafkaUser',
  metadata: { name, labels: LABELS },
  spec: { authentication: { type: 'scram-sha-512' }, authorization: { type: 'simple', acls } },
});

const once = <T>(values: readonly T[]): T[] => [...new Set(values)];

function users(): object[] {
  const services = Object.entries(ACCESS).map(([name, { reads, groups, writes, rebuilds }]) =>
    user(name, [
      ...once(reads).map((topic) => rule('topic', topic, ['Describe', 'Read'])),
      // With KAFKA_GROUP_SUFFIX a group's name goes on.
      ...once(groups).map((group) => rule('group', group, ['Describe', 'Read'], 'prefix')),
      ...(rebuilds ? [rule('group', READING_GROUPS, ['Delete', 'Describe', 'Read'], 'prefix')] : []),
      ...once(writes).map((topic) => rule('topic', topic, ['Describe', 'Write'])),
    ]),
  );
  const job = TOPIC_MANIFEST.map(({ topic }) => rule('topic', topic, ['Create', 'Describe', 'DescribeConfigs']));
  return [...services, user('po-topics', job)];
}

function topics(): object[] {
  return TOPIC_MANIFEST.map((topic) => ({
    apiVersion: API,
    kind: 'KafkaTopic',
    metadata: { name: topic.topic, labels: LABELS },
    spec: {
      partitions: topic.partitions,
      replicas: topic.ephemeral ? 1 : REPLICAS,
      config: topicSettings({ ...topic, minInsync: topic.ephemeral ? 1 : REPLICAS - 1 }),
    },
  }));
}

const file = (about: string, resources: readonly object[]): string =>
  `# ${about}\n${resources.map((resource) => stringify(resource)).join('---\n')}`;

/** Resources for Strimzi, as text, by their paths from the root. */
export const strimziFiles = (): Record<string, string> => ({
  'deploy/kubernetes/strimzi-topics.yaml': file(
    'Written by npm run docs. Instead of the topics job, with topics.enabled: false in the chart.',
    topics(),
  ),
  'deploy/kubernetes/strimzi-users.yaml': file(
    'Written by npm run docs. A user for each service, and one for the topics job.',
    users(),
  ),
});
