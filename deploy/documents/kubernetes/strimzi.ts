import { TOPIC_MANIFEST, topicSettings } from '@po/contracts';
import { stringify } from 'yaml';
import { KAFKA_USERS, type Rule } from '../kafka/access.js';

const API = 'kafka.strimzi.io/v1';
const LABELS = { 'strimzi.io/cluster': 'kafka' };
const REPLICAS = 3;

const aclOf = ({ resource: type, name, operations }: Rule) => ({
  resource: { type, name, patternType: type === 'group' ? 'prefix' : 'literal' },
  operations,
});

const user = (name: string, acls: object[]) => ({
  apiVersion: API,
  kind: 'KafkaUser',
  metadata: { name, labels: LABELS },
  spec: { authentication: { type: 'scram-sha-512' }, authorization: { type: 'simple', acls } },
});

const users = (): object[] => Object.entries(KAFKA_USERS).map(([name, rules]) => user(name, rules.map(aclOf)));

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
    'Written by npm run docs. A user for each service, one for the topics job, and one for people who look after dead letters.',
    users(),
  ),
});
