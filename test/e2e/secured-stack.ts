import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DEFAULT_DIR, childEnvironment } from '../../deploy/local/config.js';
import { logsIn } from '../../deploy/local/logs/log-files.js';
import { reservePorts } from '../../deploy/local/processes/ports.js';
import { REPOSITORY } from '../../deploy/local/repository.js';
import { type Stack, startStack } from '../../deploy/local/stack/stack.js';
import type { ServiceName } from '../../deploy/local/stack/stack-file.js';
import { startPostgres } from '../../deploy/local/stores/embedded-postgres.js';
import { startRedis } from '../../deploy/local/stores/embedded-redis.js';
import { type Authority, makeAuthority, writeIdentity } from '@po/testing/certificates';
import { changeRules, rulesOfScript } from './kafka-rules.js';
import { type SecuredKafka, startSecuredKafka } from '../support/secured-kafka.js';

const USERS: Record<ServiceName, string> = {
  gateway: 'po-gateway',
  purchaseOrders: 'po-purchase-orders',
  notifications: 'po-notifications',
  dashboard: 'po-dashboard',
  mail: 'po-mail',
};
const passwordOf = (user: string): string => `password of ${user}`;
const WITH_PASSWORDS = ['po-gateway', 'po-notifications', 'po-dead-letters'];

/** A stack whose Kafka enforces exactly the access rules of this repository. */
export interface SecuredStack extends SecuredKafka {
  stack: Stack;
  rules: Awaited<ReturnType<typeof rulesOfScript>>;
  /** Kafka settings of a user. About half of the users have certificates, the others passwords. */
  settingsOf: (user: string) => Record<string, string>;
}

export async function startSecuredStack(): Promise<SecuredStack> {
  const authority = await makeAuthority('authority');
  const identity = await authority.certify('kafka');
  const kafka = await startSecuredKafka(
    [
      { name: 'SASL', identity, sasl: {} },
      { name: 'MTLS', identity, clientCa: authority.ca },
    ],
    { users: Object.fromEntries(WITH_PASSWORDS.map((user) => [user, passwordOf(user)])), authorizes: true },
  );
  try {
    const settings = await settingsOfAll(kafka, authority, [...Object.values(USERS), 'po-topics', 'po-dead-letters']);
    const settingsOf = (user: string) => settings.get(user) ?? {};
    const rules = await rulesOfScript();
    await changeRules(kafka.plain, { add: rules });
    return { ...kafka, rules, settingsOf, stack: await startServices(kafka, settingsOf) };
  } catch (error) {
    await kafka.processes.stop();
    throw error;
  }
}

async function settingsOfAll({ folder, at }: SecuredKafka, authority: Authority, users: readonly string[]) {
  const all = users.map(async (user) => {
    const { ca, cert, key } = await writeIdentity(join(folder, user), authority, await authority.certify(user));
    const tls = { KAFKA_SSL: 'true', KAFKA_SSL_CA_FILE: ca };
    if (!WITH_PASSWORDS.includes(user)) {
      return { ...tls, KAFKA_BROKERS: at('MTLS'), KAFKA_SSL_CERT_FILE: cert, KAFKA_SSL_KEY_FILE: key };
    }
    const password = join(folder, user, 'password');
    await writeFile(password, passwordOf(user));
    return {
      ...tls,
      KAFKA_BROKERS: at('SASL'),
      KAFKA_SASL_MECHANISM: 'scram-sha-512',
      KAFKA_SASL_USERNAME: user,
      KAFKA_SASL_PASSWORD_FILE: password,
    };
  });
  return new Map((await Promise.all(all)).map((settings, index) => [users[index] ?? '', settings]));
}

async function startServices(kafka: SecuredKafka, settingsOf: SecuredStack['settingsOf']): Promise<Stack> {
  const { folder: dir, processes, plain } = kafka;
  await mkdir(logsIn(dir), { recursive: true });
  const ports = await reservePorts(join(dir, 'data'), ['postgres', 'redis']);
  const place = (name: 'postgres' | 'redis') => ({
    data: join(dir, 'data', name),
    log: join(logsIn(dir), `${name}.log`),
    cache: DEFAULT_DIR,
    port: ports[name],
  });
  const [databaseUrl, redisUrl] = await Promise.all([
    startPostgres(processes, place('postgres')),
    startRedis(processes, place('redis')),
  ]);
  const pids = () => ({ kafka: null, postgres: null, redis: null });
  return startStack({
    dir,
    port: null,
    replicas: 1,
    processes,
    step: (_label, work) => work(),
    logs: logsIn(dir),
    stores: { kafkaBrokers: plain, databaseUrl, redisUrl, pids },
    identity: { jwksUrl: null, issuer: 'https://id.test.example', audience: 'purchase-orders' },
    environmentOf: (service) => settingsOf(USERS[service]),
    topics: () =>
      processes.run(process.execPath, [join(REPOSITORY, 'libs/messaging/dist/topics/create-topics.js')], {
        env: childEnvironment({ ...settingsOf('po-topics'), KAFKA_REPLICATION: '1' }),
      }),
  });
}
