import { KAFKA_USERS, type Operation, type Rule } from './access.js';

const ABOUT = `#!/bin/sh
# Written by npm run docs: what each user may do in Kafka, for a cluster whose users no operator looks after.
#
#   sh deploy/kafka/acls.sh --add --bootstrap-server kafka-0:9093 --command-config admin.properties
#
# All arguments go to each kafka-acls.sh (another command: KAFKA_ACLS); with --remove --force what was added is taken away. Running it again
# changes nothing. Users are called as below unless they are named, as in PO_GATEWAY='User:CN=gateway,O=Example'.
set -eu
acls() { \${KAFKA_ACLS:-kafka-acls.sh} "$@"; }
`;

/** One line for all topics, or groups, of a user with which it may do the same. */
function linesOf(user: string, rules: readonly Rule[]): string[] {
  const alike = Map.groupBy(rules, ({ resource, operations }) => `${resource} ${operations.join(' ')}`);
  const variable = user.toUpperCase().replaceAll('-', '_');
  return Array.from(alike.values(), (same) => {
    const [{ resource, operations }] = same as [Rule];
    const named = same.map(({ name }) => ` \\\n  --${resource} ${name}`).join('');
    const pattern = resource === 'group' ? ' --resource-pattern-type prefixed' : '';
    return `acls "$@" --allow-principal "\${${variable}:-User:${user}}"${pattern}${operations.map(operation).join('')}${named}`;
  });
}

const operation = (name: Operation): string => ` --operation ${name}`;

/** The commands that let each user do what it may, as a script. */
export const aclScript = (): Record<string, string> => ({
  'deploy/kafka/acls.sh': `${[ABOUT, ...Object.entries(KAFKA_USERS).map(([user, rules]) => linesOf(user, rules).join('\n'))].join('\n')}\n`,
});
