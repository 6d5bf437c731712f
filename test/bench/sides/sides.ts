import { fork } from 'node:child_process';
import { join } from 'node:path';
import { ensureTopics, replicationOn } from '@po/messaging';
import { createLogger } from '@po/platform';
import { eventually } from '@po/testing/eventually';
import { asRole } from '@po/testing/service-databases';
import { HEAP_OPTIONS } from '#local/stack/services.js';
import { loadKeys, publicPart } from '#local/stack/keys.js';
import { stopInTheEnd } from '../lifetime.js';
import { stopChild } from '../load/process.js';
import { poNumber } from '../orders.js';
import type { BenchStack } from '../stack.js';
import { STOCK_TOPICS } from './stock-transport.js';

/** One way of answering the same requests from the same database. */
export interface Side {
  name: 'stock' | 'direct' | 'product';
  /** Without a path. */
  url: string;
  /** Of the one or two Node processes between the client and PostgreSQL or Kafka. */
  pids: { gateway: number; service?: number };
}

/** Starts the other sides beside the product; resolves with all, in the order in which they are measured. */
export async function startSides(stack: BenchStack): Promise<Side[]> {
  const { file, kafka, url } = stack;
  const replication = replicationOn(file.kafkaBrokers.split(',').length);
  await ensureTopics(kafka, createLogger('bench', 'warn'), { replication, manifest: STOCK_TOPICS });
  const env = await environmentOf(stack);
  const service = await startProgram('stock-service.js', env);
  const gateway = await startProgram('stock-gateway.js', env);
  const direct = await startProgram('direct.js', env);
  const { gateway: gateways, purchaseOrders } = file.pids;
  // Direct in the middle: the two that are compared most are measured closest to it.
  const sides: Side[] = [
    { name: 'stock', url: gateway.url, pids: { gateway: gateway.pid, service: service.pid } },
    { name: 'direct', url: direct.url, pids: { gateway: direct.pid } },
    { name: 'product', url, pids: { gateway: gateways[0] ?? 0, service: purchaseOrders[0] ?? 0 } },
  ];
  // The stock transport says that it listens before its consumers have joined their groups.
  const detail = { method: 'GET', path: `/api/purchase-orders/${poNumber(0)}`, user: 'buyer' } as const;
  for (const side of sides) {
    const answers = async () => (await send(side, stack, detail)).status === 200;
    await eventually(`the ${side.name} side answers`, answers, { timeoutMs: 60_000 });
  }
  await requireAlike(sides, stack);
  return sides;
}

/** Forks a program of this folder and resolves when it is ready. Rejects when it exits before. */
async function startProgram(program: string, env: NodeJS.ProcessEnv): Promise<{ pid: number; url: string }> {
  // The options of the local stack's services: the sides must not differ by their heap.
  const execArgv = ['--no-warnings', ...HEAP_OPTIONS];
  const child = fork(join(import.meta.dirname, program), { env, execArgv });
  stopInTheEnd(() => stopChild(child));
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

interface Probe {
  method: 'GET' | 'POST';
  path: string;
  user: 'buyer' | 'vendor:ACME' | null;
  body?: object;
}

/** Headers that differ by time or connection. */
const VOLATILE = ['date', 'connection', 'keep-alive'];
const ORDER = `/api/purchase-orders/${poNumber(0)}`;
const UNKNOWN = '/api/purchase-orders/BENCH-UNKNOWN';
const PROBES: readonly Probe[] = [
  { method: 'GET', path: ORDER, user: 'buyer' },
  { method: 'GET', path: UNKNOWN, user: 'buyer' },
  { method: 'GET', path: ORDER, user: null },
  { method: 'POST', path: `${UNKNOWN}/transition`, user: 'vendor:ACME', body: { action: 'SUBMIT' } },
  { method: 'POST', path: `${ORDER}/transition`, user: 'vendor:ACME', body: { action: 'NONE' } },
  { method: 'POST', path: `${ORDER}/transition`, user: 'buyer', body: { action: 'SUBMIT' } },
];

function send({ url }: Side, { file }: BenchStack, { method, path, user, body }: Probe): Promise<Response> {
  const headers = {
    'x-request-id': 'bench',
    ...(user === null ? {} : { 'x-user-token': file.tokens[user] ?? '' }),
    ...(body ? { 'content-type': 'application/json' } : {}),
  };
  return fetch(`${url}${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) });
}

/** Rejects unless every side answers the probes, which change nothing, with the same status, headers and body. */
async function requireAlike([first, ...others]: readonly Side[], stack: BenchStack): Promise<void> {
  if (!first) return;
  for (const probe of PROBES) {
    const answerOf = async (side: Side) => {
      const response = await send(side, stack, probe);
      const headers = [...response.headers].filter(([name]) => !VOLATILE.includes(name));
      return JSON.stringify({ status: response.status, headers, body: await response.text() }, null, 1);
    };
    const expected = await answerOf(first);
    for (const other of others) {
      const actual = await answerOf(other);
      if (actual === expected) continue;
      throw new Error(`${probe.method} ${probe.path}: ${first.name} answers ${expected}, but ${other.name} ${actual}`);
    }
  }
}
