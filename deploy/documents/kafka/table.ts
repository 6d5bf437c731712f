import { TOPIC_MANIFEST } from '@po/contracts';
import { textAt, withTable } from '../tables.js';
import { KAFKA_USERS, type Rule } from './access.js';

const PATH = 'deploy/CONNECTIONS.md';

/** The document of connections, by its path from the root, with who may do what in Kafka. */
export function connectionsDocument(): Record<string, string> {
  const topics = TOPIC_MANIFEST.map(({ topic }) => [`\`${topic}\``, who(topic, 'Read'), who(topic, 'Write')]);
  const groups = Object.entries(KAFKA_USERS)
    .map(([user, rules]) => [user, rules.filter(({ resource }) => resource === 'group')] as const)
    .filter(([, rules]) => rules.length > 0)
    .map(([user, rules]) => [`\`${user}\``, rules.map(shown).join(', ')]);
  const withTopics = withTable(textAt(PATH), 'topic access', [['topic', 'reads', 'writes'], ...topics]);
  return { [PATH]: withTable(withTopics, 'group access', [['user', 'groups whose names begin with'], ...groups]) };
}

const who = (topic: string, operation: 'Read' | 'Write'): string =>
  Object.entries(KAFKA_USERS)
    .filter(([, rules]) => rules.some(({ name, operations }) => name === topic && operations.includes(operation)))
    .map(([user]) => user.replace(/^po-/, ''))
    .join(', ');

const shown = ({ name, operations }: Rule): string =>
  `\`${name}\`${operations.includes('Delete') ? ' (deletes them too)' : ''}`;
