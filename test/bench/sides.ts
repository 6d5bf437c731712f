import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureTopics, replicationOn } from '@po/messaging';
import { createLogger } from '@po/platform';
import { eventually } from '@po/testing/eventually';
import { type Keys, publicPart } from '#local/stack/keys.js';
import type { StackFile } from '#local/stack/stack-file.js';
import { poNumber } from './orders.js';
import type { Settlement } from './settlement.js';
import { type SideProcess, startSideProcess } from './side-process.js';
import { STOCK_TOPICS } from './stock/options.js';

export type SideName = 'stock' | 'direct' | 'product';

/** One way of answering the same requests from the same database. */
export interface Side {
  name: SideName;
  /** Without a path. */
  url: string;
  /** Of the one or two Node processes between the client and PostgreSQL or Kafka. */
  pids: { gateway: number; service: number | null };
}

export const productSide = ({ gatewayUrl, pids }: StackFile): Side => ({
  name: 'product',
  url: gatewayUrl,
  pids: { gateway: pids.gateway[0] ?? 0, service: pids.purchaseOrders[0] ?? 0 },
});

/** Starts the other two sides beside a running stack, with the environment that its services have. */
export async function startOtherSides(
  stack: StackFile,
  folder: string,
  { kafka }: Settlement,
): Promise<{ sides: Side[]; stop: () => Promise<void> }> {
  const replication = replicationOn(stack.kafkaBrokers.split(',').length);
  await ensureTopics(kafka, createLogger('bench', 'warn'), { replication, manifest: STOCK_TOPICS });
  const env = await environmentOf(stack, folder);
  const started: SideProcess[] = [];
  const start = async (program: string) => {
    const process = await startSideProcess(program, env);
    started.push(process);
    return process;
  };
  const stop = async () => {
    await Promise.all(started.map((process) => process.stop()));
  };
  try {
    const service = await start('stock/service.js');
    const gateway = await start('stock/gateway.js');
    const direct = await start('direct/main.js');
    const sides: Side[] = [
      { name: 'stock', url: gateway.url, pids: { gateway: gateway.pid, service: service.pid } },
      { name: 'direct', url: direct.url, pids: { gateway: direct.pid, service: null } },
    ];
    for (const side of sides) await answers(side, stack);
    return { sides, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

// The stock transport says that it listens before its consumers have joined their groups.
async function answers({ name, url }: Side, { tokens }: StackFile): Promise<void> {
  await eventually(
    `the ${name} side answers`,
    async () => {
      const response = await fetch(`${url}/api/purchase-orders/${poNumber(0)}`, {
        headers: { 'x-user-token': tokens.buyer ?? '' },
      });
      if (response.status !== 200) throw new Error(await response.text());
      return true;
    },
    { timeoutMs: 60_000 },
  );
}

async function environmentOf(stack: StackFile, folder: string): Promise<NodeJS.ProcessEnv> {
  const keys = JSON.parse(await readFile(join(folder, 'keys.json'), 'utf8')) as Keys;
  return {
    ...process.env,
    NODE_ENV: 'production',
    LOG_LEVEL: 'warn',
    KAFKAJS_NO_PARTITIONER_WARNING: '1',
    HOST: '127.0.0.1',
    PORT: '0',
    KAFKA_BROKERS: stack.kafkaBrokers,
    REDIS_URL: stack.redisUrl,
    AUTH_JWKS_URL: stack.jwksUrl,
    AUTH_ISSUER: stack.issuer,
    AUTH_AUDIENCE: stack.audience,
    ACTOR_SIGNING_KEY: JSON.stringify(keys.actor),
    ACTOR_VERIFICATION_KEYS: JSON.stringify({ keys: [publicPart(keys.actor)] }),
    DATABASE_URL_INTERNAL: roleUrl(stack.databaseUrls.purchaseOrders, 'po_internal'),
    DATABASE_URL_VENDOR: roleUrl(stack.databaseUrls.purchaseOrders, 'po_vendor'),
  };
}

// A local stack's roles have their own names as passwords.
function roleUrl(inspection: string, role: string): string {
  const url = new URL(inspection);
  [url.username, url.password] = [role, role];
  return url.href;
}
