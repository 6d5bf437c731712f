import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '@po/testing/documents';

/** As brokers are told of it. */
interface Acl {
  principal: string;
  host: string;
  resourceType: number;
  resourceName: string;
  resourcePatternType: number;
  operation: number;
  permissionType: number;
}

interface RulesAdmin {
  connect(): Promise<void>;
  createAcls(request: { acl: Acl[] }): Promise<boolean>;
  deleteAcls(request: { filters: Acl[] }): Promise<unknown>;
  disconnect(): Promise<void>;
}

// The port has no use for it: the product never grants anything.
const kafkajs = createRequire(new URL('../../libs/messaging/package.json', import.meta.url))('kafkajs') as {
  Kafka: new (options: object) => { admin(): RulesAdmin };
  AclOperationTypes: Record<string, number>;
  AclResourceTypes: Record<string, number>;
  ResourcePatternTypes: Record<string, number>;
  AclPermissionTypes: Record<string, number>;
};

const numbered = (names: Record<string, number>, name: string): number => {
  const number = names[name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()];
  if (number === undefined) throw new Error(`Kafka knows no ${name}`);
  return number;
};

/** What `deploy/kafka/acls.sh` has Kafka's own command add. */
export async function rulesOfScript(): Promise<Acl[]> {
  const { stdout } = await promisify(execFile)('sh', [join(ROOT, 'deploy/kafka/acls.sh'), '--add'], {
    env: { ...process.env, KAFKA_ACLS: 'echo' },
  });
  return stdout.trim().split('\n').flatMap(rulesOfLine);
}

function rulesOfLine(line: string): Acl[] {
  const [mode, ...words] = line.split(' ');
  if (mode !== '--add' || words.length % 2 !== 0) throw new Error(`this is no command that adds rules: ${line}`);
  const options = Array.from({ length: words.length / 2 }, (_, index) => words.slice(2 * index, 2 * index + 2));
  const valuesOf = (option: string) =>
    options.filter(([name]) => name === `--${option}`).map(([, value = '']) => value);
  const [pattern = 'literal'] = valuesOf('resource-pattern-type');
  const resources = ['topic', 'group'].flatMap((type) => valuesOf(type).map((name) => ({ type, name })));
  return resources.flatMap(({ type, name }) =>
    valuesOf('operation').map((operation) => ({
      principal: valuesOf('allow-principal')[0] ?? '',
      host: '*',
      resourceType: numbered(kafkajs.AclResourceTypes, type),
      resourceName: name,
      resourcePatternType: numbered(kafkajs.ResourcePatternTypes, pattern),
      operation: numbered(kafkajs.AclOperationTypes, operation),
      permissionType: numbered(kafkajs.AclPermissionTypes, 'allow'),
    })),
  );
}

/** The rules that let a user do this with a topic. */
export const rulesFor = (rules: readonly Acl[], user: string, operation: string, topic: string): Acl[] =>
  rules.filter(
    (rule) =>
      rule.principal === `User:${user}` &&
      rule.operation === numbered(kafkajs.AclOperationTypes, operation) &&
      rule.resourceName === topic,
  );

/** Changes the rules of a broker, by an address where one may. */
export async function changeRules(brokers: string, change: { add?: Acl[]; remove?: Acl[] }): Promise<void> {
  const admin = new kafkajs.Kafka({ brokers: brokers.split(','), logLevel: 0 }).admin();
  await admin.connect();
  try {
    if (change.add) await admin.createAcls({ acl: change.add });
    if (change.remove) await admin.deleteAcls({ filters: change.remove });
  } finally {
    await admin.disconnect();
  }
}

/** An operation in small letters, however it is written. */
export const plainly = (operation = ''): string => operation.replaceAll('_', '').toLowerCase();

/** What a broker was asked by users of the product, as its log in this folder has it: `po-gateway read topic po.state.v1`. */
export async function audited(folder: string, outcome: 'Allowed' | 'Denied'): Promise<Set<string>> {
  const log = await readFile(join(folder, 'kafka.log'), 'utf8');
  const lines = log.matchAll(
    /Principal = User:(po-[\w-]+) is (Allowed|Denied) operation = (\w+) from .*? on resource = (\w+):\w+:(\S+) for/gi,
  );
  return new Set(
    Array.from(lines, ([, user, was, operation, type = '', name]) =>
      was === outcome ? `${user} ${plainly(operation)} ${type.toLowerCase()} ${name}` : '',
    ),
  );
}
