import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import kafkajs, { type AclEntry } from 'kafkajs';
import { ROOT } from '@po/testing/documents';
import { run } from '../../deploy/local/processes/run.js';

// A TypeScript enum also maps numbers to names.
const numbered = (names: Record<string, number | string>, name: string): number => {
  const number = names[name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()];
  if (typeof number !== 'number') throw new Error(`Kafka knows no ${name}`);
  return number;
};

/** The rules that `deploy/kafka/acls.sh` adds with Kafka's command. */
export async function rulesOfScript(): Promise<AclEntry[]> {
  const env = { ...process.env, KAFKA_ACLS: 'echo' };
  const output = await run('sh', [join(ROOT, 'deploy/kafka/acls.sh'), '--add'], { env });
  return output.trim().split('\n').flatMap(rulesOfLine);
}

function rulesOfLine(line: string): AclEntry[] {
  const [mode, ...words] = line.split(' ');
  if (mode !== '--add' || words.length % 2 !== 0) throw new Error(`not a command that adds rules: ${line}`);
  const options = Array.from({ length: words.length / 2 }, (_, index) => words.slice(2 * index, 2 * index + 2));
  const valuesOf = (option: string) =>
    options.filter(([name]) => name === `--${option}`).map(([, value = '']) => value);
  const [pattern = 'literal'] = valuesOf('resource-pattern-type');
  const resources = ['topic', 'group'].flatMap((type) => valuesOf(type).map((name) => ({ type, name })));
  const [principal = ''] = valuesOf('allow-principal');
  return resources.flatMap((resource) =>
    valuesOf('operation').map((operation) => ruleThatAllows(principal, operation, { ...resource, pattern })),
  );
}

/** The rule that allows a principal this operation on resources whose names match. */
export const ruleThatAllows = (
  principal: string,
  operation: string,
  { type, name, pattern }: { type: string; name: string; pattern: string },
): AclEntry => ({
  principal,
  host: '*',
  resourceType: numbered(kafkajs.AclResourceTypes, type),
  resourceName: name,
  resourcePatternType: numbered(kafkajs.ResourcePatternTypes, pattern),
  operation: numbered(kafkajs.AclOperationTypes, operation),
  permissionType: numbered(kafkajs.AclPermissionTypes, 'allow'),
});

/** The rules that allow a user this operation on a topic. */
export const rulesFor = (rules: readonly AclEntry[], user: string, operation: string, topic: string): AclEntry[] =>
  rules.filter(
    (rule) =>
      rule.principal === `User:${user}` &&
      rule.operation === numbered(kafkajs.AclOperationTypes, operation) &&
      rule.resourceName === topic,
  );

/** Changes the rules of a broker at an address that allows it. */
export async function changeRules(brokers: string, change: { add?: AclEntry[]; remove?: AclEntry[] }): Promise<void> {
  const admin = new kafkajs.Kafka({ brokers: brokers.split(','), logLevel: 0 }).admin();
  await admin.connect();
  try {
    if (change.add) await admin.createAcls({ acl: change.add });
    if (change.remove) await admin.deleteAcls({ filters: change.remove });
  } finally {
    await admin.disconnect();
  }
}

/** The name of an operation in lower case without underscores. */
export const normalizedOperation = (operation = ''): string => operation.replaceAll('_', '').toLowerCase();

/** Requests of the product's users in a broker's log in this folder, such as `po-gateway read topic po.state.v1`. */
export async function auditedOperations(folder: string, outcome: 'Allowed' | 'Denied'): Promise<Set<string>> {
  const log = await readFile(join(folder, 'kafka.log'), 'utf8');
  const lines = log.matchAll(
    /Principal = User:(po-[\w-]+) is (Allowed|Denied) operation = (\w+) from .*? on resource = (\w+):\w+:(\S+) for/gi,
  );
  return new Set(
    Array.from(lines, ([, user, was, operation, type = '', name]) =>
      was === outcome ? `${user} ${normalizedOperation(operation)} ${type.toLowerCase()} ${name}` : '',
    ),
  );
}
