import { fork } from 'node:child_process';
import { join } from 'node:path';
import { ensureTopics, replicationOn } from '@po/messaging';
import { createLogger } from '@po/platform';
import { eventually } from '@po/testing/eventually';
import { asRole } from '@po/testing/service-databases';
import { HEAP_OPTIONS } from '#local/stack/services.js';
import { loadKeys, publicPart } from '#local/stack/keys.js';
import { stopAtEnd } from '../lifetime.js';
import type { Variant } from '../load/measure.js';
import { poNumber } from '../orders.js';
import type { BenchStack } from '../stack.js';
import type { Pids } from '../usage.js';
import { STOCK_TOPICS } from './stock-transport.js';

/** Starts the other implementations beside the product. Resolves with all of them in the order of measurement. */
export async function startImplementations(stack: BenchStack): Promise<Variant[]> {
  const { file, kafka, url } = stack;
  const replication = replicationOn(file.kafkaBrokers.split(',').length);
  await ensureTopics(kafka, createLogger('bench', 'warn'), { replication, manifest: STOCK_TOPICS });
  const env = await environmentOf(stack);
  const service = await startProgram('stock-service.js', env);
  const gateway = await startProgram('stock-gateway.js', env);
  const direct = await startProgram('direct.js', env);
  const { gateway: gateways, purchaseOrders } = file.pids;
  const implementation = (name: string, at: string, own: Pids): Variant => ({
    name,
    urls: () => [at],
    // A GET has no fan-out; the idle CPU of those services would count toward the slow implementations. The relay is the product's.
    pids: (kind) => ({
      ...own,
      ...(kind === 'transition'
        ? { ...stack.others.fanOut, ...(name === 'product' ? {} : { relay: purchaseOrders }) }
        : {}),
      ...stack.others.stores,
    }),
  });
  // Direct comes second, so that the two most compared implementations run close to it.
  const implementations = [
    implementation('stock', gateway.url, { gateway: gateway.pid, service: service.pid }),
    implementation('direct', direct.url, { gateway: direct.pid }),
    implementation('product', url, { gateway: gateways, service: purchaseOrders }),
  ];
  // The stock transport reports that it listens before its consumers have joined their groups.
  for (const each of implementations) {
    const answers = async () => (await send(each, stack, [ORDER, 'buyer'])).status === 200;
    await eventually(`the ${each.name} implementation answers`, answers);
  }
  await requireAlike(implementations, stack);
  return implementations;
}

/** Forks a program of this folder. Resolves when it is ready, rejects if it exits before. */
async function startProgram(program: string, env: NodeJS.ProcessEnv): Promise<{ pid: number; url: string }> {
  // The options of the local stack's services, so that all implementations have the same heap.
  const execArgv = ['--no-warnings', ...HEAP_OPTIONS];
  const child = fork(join(import.meta.dirname, program), { env, execArgv });
  stopAtEnd(async () => void child.kill('SIGKILL'));
  const url = await new Promise<string>((resolve, reject) => {
    child.once('message', (message: { url: string }) => resolve(message.url));
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${program} exited with ${code} before it was ready`)));
  });
  return { pid: child.pid ?? 0, url };
}

async function environmentOf({ folder, file }: BenchStack): Promise<NodeJS.ProcessEnv> {
  const { actor } = await loadKeys(folder);
  return {
    ...process.env,
    NODE_ENV: 'production',
    LOG_LEVEL: 'warn',
    KAFKAJS_NO_PARTITIONER_WARNING: '1',
    HOST: '127.0.0.1',
    PORT: '0',
    KAFKA_BROKERS: file.kafkaBrokers,
    REDIS_URL: file.redisUrl,
    AUTH_JWKS_URL: file.jwksUrl,
    AUTH_ISSUER: file.issuer,
    AUTH_AUDIENCE: file.audience,
    ACTOR_SIGNING_KEY: JSON.stringify(actor),
    ACTOR_VERIFICATION_KEYS: JSON.stringify({ keys: [publicPart(actor)] }),
    DATABASE_URL_INTERNAL: asRole(file.databaseUrls.purchaseOrders, 'po_internal'),
    DATABASE_URL_VENDOR: asRole(file.databaseUrls.purchaseOrders, 'po_vendor'),
  };
}

type Probe = readonly [path: string, user: 'buyer' | 'vendor:ACME' | null, action?: string];

/** Headers that depend on time or connection. */
const VOLATILE = ['date', 'connection', 'keep-alive'];
const ORDER = `/api/purchase-orders/${poNumber(0)}`;
const UNKNOWN = '/api/purchase-orders/BENCH-UNKNOWN';
const PROBES: readonly Probe[] = [
  [ORDER, 'buyer'],
  [UNKNOWN, 'buyer'],
  [ORDER, null],
  [`${UNKNOWN}/transition`, 'vendor:ACME', 'SUBMIT'],
  [`${ORDER}/transition`, 'vendor:ACME', 'NONE'],
  [`${ORDER}/transition`, 'buyer', 'SUBMIT'],
];

function send({ urls }: Variant, { file }: BenchStack, [path, user, action]: Probe): Promise<Response> {
  const token: Record<string, string> = user === null ? {} : { 'x-user-token': file.tokens[user] ?? '' };
  const headers = { 'x-request-id': 'bench', ...token, ...(action ? { 'content-type': 'application/json' } : {}) };
  const write = action ? { method: 'POST', body: JSON.stringify({ action }) } : {};
  return fetch(`${urls()[0]}${path}`, { ...write, headers });
}

/** Rejects unless every implementation answers the read-only probes with the same status, headers and body. */
async function requireAlike(implementations: readonly Variant[], stack: BenchStack): Promise<void> {
  for (const probe of PROBES) {
    const answers = await Promise.all(
      implementations.map(async (implementation) => {
        const response = await send(implementation, stack, probe);
        const headers = [...response.headers].filter(([name]) => !VOLATILE.includes(name));
        return JSON.stringify({ status: response.status, headers, body: await response.text() }, null, 1);
      }),
    );
    if (new Set(answers).size > 1) {
      throw new Error(`${probe.join(' ')} has several answers: ${answers.join(', ')}`);
    }
  }
}
