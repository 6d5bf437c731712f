import { setTimeout as delay } from 'node:timers/promises';
import { TOPIC_MANIFEST } from '@po/contracts';
import { connectKafka } from '@po/messaging';
import { createLogger } from '@po/platform';
import { Redis } from 'ioredis';
import pg from 'pg';
import { type LocalSettings, readSettings } from '../config.js';
import { argumentsOf } from '../option-values.js';
import { chooseInfrastructure, missingFor } from '../stores/infrastructure.js';
import { kafkaAt } from '../kafka-settings.js';
import { messageOf, runCommand } from './lifecycle.js';
import { isFree } from '../processes/ports.js';
import { stackIn } from '../stack/running-stack.js';
import type { StackFile } from '../stack/stack-file.js';

interface Finding {
  what: string;
  /** Result of the check; `fix` is set if it failed. */
  found: string;
  fix?: string;
}

type Check = () => Promise<Finding>;

const attempt =
  (what: string, fix: string, look: () => Promise<string>): Check =>
  async () => {
    try {
      return { what, found: await look() };
    } catch (error) {
      return { what, found: messageOf(error).split('\n')[0] || 'no answer', fix };
    }
  };

/** For programs that accept connections but are frozen. */
const ANSWER_S = 20;

async function noAnswer(): Promise<never> {
  await delay(ANSWER_S * 1000);
  throw new Error(`no answer within ${ANSWER_S} s`);
}

const attemptInTime: typeof attempt = (what, fix, look) => attempt(what, fix, () => Promise.race([look(), noAnswer()]));

function machineChecks(settings: LocalSettings, stack: StackFile | null): Check[] {
  const { dir, port } = settings;
  const choice = { dir, cache: dir, settings };
  return [
    () => Promise.resolve({ what: 'Node', found: process.version }),
    async () => {
      const missing = await missingFor('embedded', choice);
      const found = missing.length > 0 ? `not available: ${missing.join('; ')}` : 'can run';
      return { what: 'embedded stores', found };
    },
    () =>
      chooseInfrastructure(choice).then(
        (kind) => ({ what: 'stores', found: kind }),
        (error: unknown) => ({ what: 'stores', found: 'none can run', fix: messageOf(error) }),
      ),
    async () => {
      if (stack) return { what: `port ${new URL(stack.gatewayUrl).port}`, found: `a stack runs from ${dir}` };
      const free = await isFree(port);
      const what = `port ${port}`;
      return free ? { what, found: 'free' } : { what, found: 'in use or not allowed', fix: 'set PORT to another one' };
    },
  ];
}

const UNPARK = 'remove the cause, then publish or drop each row: deploy/REPAIR.md, "An outbox row is parked"';
const MAX_PARKED_SHOWN = 5;

/** Finds rows that Kafka permanently refuses: their orders publish nothing any more. */
const outboxCheck =
  (name: string, url: string): Check =>
  async () => {
    const what = `outbox ${name}`;
    const rows = await rowsOf<{ key: string; reason: string }>(
      url,
      'SELECT key, parked_reason AS reason FROM outbox WHERE parked_reason IS NOT NULL ORDER BY position',
    ).catch(messageOf);
    if (typeof rows === 'string') return { what, found: rows, fix: `see database ${name}` };
    if (rows.length === 0) return { what, found: 'no row is parked' };
    const shown = rows.slice(0, MAX_PARKED_SHOWN).map(({ key, reason }) => `${key} (${reason})`);
    const more = rows.length > shown.length ? ', …' : '';
    return { what, found: `${rows.length} row(s) parked: ${shown.join(', ')}${more}`, fix: UNPARK };
  };

async function rowsOf<Row extends pg.QueryResultRow>(url: string, query: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3_000, query_timeout: 5_000 });
  await client.connect();
  const { rows } = await client.query<Row>(query).finally(() => client.end());
  return rows;
}

function stackChecks({
  kafkaBrokers,
  databaseUrls,
  redisUrl,
  jwksUrl,
  managementUrls,
  gatewayUrls,
  portalUrl,
}: StackFile): Check[] {
  const restart = 'stop "npm start" and start it again; "npm start -- --fresh" also empties the data';
  const kafka = connectKafka(kafkaAt(kafkaBrokers), 'doctor', createLogger('doctor', 'silent'));
  return [
    attemptInTime('Kafka', restart, async () => {
      const admin = await kafka.admin();
      return admin
        .brokerCount()
        .then((count) => `${count} broker(s) at ${kafkaBrokers}`)
        .finally(() => admin.close());
    }),
    attemptInTime('topics', 'start the stack again: it creates what is missing', async () => {
      const admin = await kafka.admin();
      const existing = new Set(await admin.topics().finally(() => admin.close()));
      const missing = TOPIC_MANIFEST.filter(({ topic }) => !existing.has(topic)).map(({ topic }) => topic);
      if (missing.length > 0) throw new Error(`missing: ${missing.join(', ')}`);
      return `all ${TOPIC_MANIFEST.length} exist`;
    }),
    ...Object.entries(databaseUrls).map(([name, url]) =>
      attemptInTime(`database ${name}`, restart, async () => {
        const [row] = await rowsOf<{ count: string }>(url, 'SELECT count(*) FROM migrations');
        return `${row?.count ?? 0} migration(s) applied`;
      }),
    ),
    ...Object.entries(databaseUrls)
      // The service mail publishes nothing.
      .filter(([name]) => name !== 'mail')
      .map(([name, url]) => outboxCheck(name, url)),
    attemptInTime('Redis', restart, async () => {
      const redis = new Redis(redisUrl, { lazyConnect: true, retryStrategy: null, maxRetriesPerRequest: 0 });
      redis.on('error', () => undefined);
      await redis.connect();
      return redis.ping().finally(() => redis.disconnect());
    }),
    attemptInTime('JWKS', 'check AUTH_JWKS_URL, or start the stack again for the demo provider', async () => {
      const { keys } = (await (await fetch(jwksUrl)).json()) as { keys: unknown[] };
      return `${keys.length} key(s) at ${jwksUrl}`;
    }),
    ...gatewayUrls.map((url) =>
      attemptInTime(`gateway ${url}`, restart, async () => {
        const { status } = await fetch(`${url}/api/me`);
        if (status !== 401) throw new Error(`answers ${status}, not 401, without a token`);
        return 'answers 401 without a token';
      }),
    ),
    ...(portalUrl === null
      ? []
      : [
          attemptInTime('portal', 'stop "npm start" and start it again: it builds the portal', async () => {
            const { status } = await fetch(portalUrl);
            if (status !== 200) throw new Error(`answers ${status}`);
            return `is at ${portalUrl}`;
          }),
        ]),
    ...Object.entries(managementUrls).flatMap(([service, urls]) =>
      urls.map((url) =>
        attemptInTime(service, `see "npm run logs", or the output of "npm start"; ${restart}`, async () => {
          const answer = await fetch(`${url}/readyz`);
          if (!answer.ok) throw new Error(await answer.text());
          return 'ready';
        }),
      ),
    ),
  ];
}

/** `npm run doctor`: checks this machine and the local stack, and prints a fix for each failure. */
async function main(): Promise<number> {
  argumentsOf({});
  const settings = readSettings();
  const stack = stackIn(settings.dir);
  const checks = [...machineChecks(settings, stack), ...(stack ? stackChecks(stack) : [])];
  let failures = 0;
  for (const { what, found, fix } of await Promise.all(checks.map((check) => check()))) {
    if (fix) failures += 1;
    process.stdout.write(`${fix ? 'FAIL' : 'ok  '}  ${what.padEnd(28)} ${found}\n${fix ? `      fix: ${fix}\n` : ''}`);
  }
  if (!stack)
    process.stdout.write(`\nno stack runs in ${settings.dir}: "npm start" starts one, then more is checked\n`);
  process.stdout.write(`\n${checks.length - failures} good, ${failures} to fix\n`);
  return failures === 0 ? 0 : 1;
}

await runCommand(main);
