import { TOPIC_MANIFEST, topicSettings } from '@po/contracts';
import { SERVICE_NAMES } from '#local/stack/stack-file.js';
import { readText, withTable } from '../tables.js';
import { retentionText } from '../topics.js';
import { KAFKA_USERS } from './access.js';

const PATH = 'deploy/CONNECTIONS.md';

/** The connections document by path from the root, with the consumer groups of each user. */
export function connectionsDocument(): Record<string, string> {
  const groups = Object.entries(KAFKA_USERS)
    .map(([user, rules]) => [user, rules.filter(({ resource }) => resource === 'group')] as const)
    .filter(([, rules]) => rules.length > 0)
    .map(([user, rules]) => [`\`${user}\``, rules.map(({ name }) => `\`${name}\``).join(', ')]);
  return { [PATH]: withTable(readText(PATH), 'group access', [['user', 'groups whose names begin with'], ...groups]) };
}

/** Table of all topics with their readers and writers. */
export const topicRows = (): string[][] => [
  ['topic', 'partitions', 'kept', 'reads', 'writes'],
  ...TOPIC_MANIFEST.map(({ topic, partitions, retention }) => [
    `\`${topic}\``,
    String(partitions),
    retentionText(retention),
    who(topic, 'Read'),
    who(topic, 'Write'),
  ]),
];

const [CHECK_MS, DELAY_MS] = [5 * 60_000, 60_000];

/** Table of the time until a record is deleted, by retention, with the brokers' default intervals. */
export function deletionRows(): string[][] {
  const timed = TOPIC_MANIFEST.filter(({ retention }) => retention !== 'compact');
  const rows = [...new Map(timed.map((topic) => [Number(topic.retention), topic]))]
    .toSorted(([a], [b]) => a - b)
    .map(([retention, topic]) => {
      const deletedAfterMs = retention + Number(topicSettings({ ...topic, minInsync: 1 })['segment.ms']) + CHECK_MS;
      return [retentionText(retention), duration(deletedAfterMs), duration(deletedAfterMs + DELAY_MS)];
    });
  return [['kept', 'gone for readers after', 'gone from the disk after'], ...rows];
}

const duration = (ms: number): string =>
  ms < 3_600_000 ? `${ms / 60_000} min` : `${Math.floor(ms / 3_600_000)} h ${(ms % 3_600_000) / 60_000} min`;

const EVERY_SERVICE = Object.values(SERVICE_NAMES).join(', ');

function who(topic: string, operation: 'Read' | 'Write'): string {
  const users = Object.entries(KAFKA_USERS)
    .filter(([, rules]) => rules.some(({ name, operations }) => name === topic && operations.includes(operation)))
    .map(([user]) => user.replace(/^po-/, ''))
    .join(', ');
  return users === EVERY_SERVICE ? 'every service' : users;
}
