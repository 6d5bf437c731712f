import { mkdirSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { TOPICS } from '@po/contracts';
import { connectKafka } from '@po/messaging';
import { createLogger } from '@po/platform';
import { startDirectServer } from './direct-server.js';
import { type LoadResult, type NextRequest, load } from './load.js';
import { type Stack, startStackProcess } from './stack-process.js';
import { measureCpu, usageOf } from './usage.js';

const CONNECTIONS = [1, 16, 64];
const ORDERS = 256;
const CELLS = 12;
const WARM_UP_S = 2;
const SECONDS = 6;
const IDLE_S = 10;

interface Row extends LoadResult {
  what: string;
  /** CPU milliseconds a request of each process. */
  cpuMs: Record<string, number>;
}

const poNumber = (index: number): string => `BENCH-${String(index).padStart(4, '0')}`;

function order(index: number) {
  return {
    poNumber: poNumber(index),
    sourceRevision: 1,
    poDate: '2026-01-05',
    xfd: '2027-03-01',
    vendor: { code: 'ACME', name: 'Acme Apparel Ltd.' },
    currency: 'USD',
    lines: Array.from({ length: CELLS }, (_, cell) => ({
      ...{
        lineId: String(cell + 1),
        code: `TS-${cell % 3}`,
        style: 'TS',
        color: `C${cell % 3}`,
        size: String(28 + 2 * Math.floor(cell / 3)),
      },
      ...{ qty: 10 + cell, unitPrice: 12.5 },
    })),
  };
}

/** Sends the orders to the inventory topic and waits until all are stored. -> orders a second, end to end */
async function importOrders(stack: Stack): Promise<number> {
  const producer = connectKafka(
    { KAFKA_BROKERS: stack.kafkaBrokers.split(',') },
    'bench',
    createLogger('bench', 'error'),
  ).producer({ acks: 'all' });
  await producer.connect();
  const startedAt = performance.now();
  await producer.send(
    Array.from({ length: ORDERS }, (_, index) => ({
      topic: TOPICS.inventory,
      key: poNumber(index),
      value: JSON.stringify(order(index)),
      headers: { type: 'purchase-order.upserted' },
    })),
  );
  await producer.disconnect();
  for (;;) {
    const response = await fetch(`${stack.gatewayUrl}/api/purchase-orders?limit=1`, {
      headers: { 'x-user-token': stack.tokens.buyer ?? '' },
    });
    const { pagination } = (await response.json()) as { pagination?: { total: number } };
    if (pagination?.total === ORDERS) return ORDERS / ((performance.now() - startedAt) / 1000);
    await delay(20);
  }
}

function request(method: string, path: string, token: string, body?: unknown): string {
  const json = body === undefined ? '' : JSON.stringify(body);
  const content = json ? `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(json)}\r\n` : '';
  return `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-user-token: ${token}\r\n${content}\r\n${json}`;
}

async function measure(what: string, url: URL, pids: Record<string, number>, next: NextRequest): Promise<Row[]> {
  const rows: Row[] = [];
  for (const connections of CONNECTIONS) {
    await load(url, connections, WARM_UP_S, next);
    const { result, cpuMs } = await measureCpu(pids, () => load(url, connections, SECONDS, next));
    const perRequest = Object.entries(cpuMs).map(([name, cpu]): [string, number] => [name, cpu / result.requests]);
    rows.push({ what, ...result, cpuMs: Object.fromEntries(perRequest) });
  }
  return rows;
}

async function idle(pids: Record<string, number>) {
  await delay(3_000);
  const { cpuMs } = await measureCpu(pids, () => delay(IDLE_S * 1000));
  return Object.entries(pids).map(([process, pid]) => ({
    process,
    'idle CPU %': (cpuMs[process] ?? 0) / (IDLE_S * 10),
    'resident MB': usageOf(pid).residentMb,
  }));
}

const round = (value: unknown): unknown =>
  typeof value === 'number' ? Number(value.toFixed(value < 10 ? 2 : 0)) : value;
const rounded = (row: object) => Object.fromEntries(Object.entries(row).map(([name, value]) => [name, round(value)]));

const { stack, stop } = await startStackProcess();
const direct = await startDirectServer(stack.databaseUrls.purchaseOrders);
try {
  const { gateway, purchaseOrders, notifications, dashboard, kafka, postgres, redis } = stack.pids;
  const services = {
    gateway: gateway[0] ?? 0,
    purchaseOrders: purchaseOrders[0] ?? 0,
    notifications: notifications[0] ?? 0,
    dashboard: dashboard[0] ?? 0,
  };
  const importsPerSecond = await importOrders(stack);
  const resting = await idle({ ...services, kafka, postgres, redis });
  const url = new URL(stack.gatewayUrl);
  const buyer = stack.tokens.buyer ?? '';
  const vendor = stack.tokens['vendor:ACME'] ?? '';
  const own = (connection: number, sequence: number) => poNumber((connection * 4 + (sequence % 4)) % ORDERS);
  // Each connection moves an order of its own back and forth: SUBMIT from New or In Revision, RECALL from Pending Approval.
  const submitted = new Set<string>();
  const toggle = (poRef: string) => {
    const action = submitted.has(poRef) ? 'RECALL' : 'SUBMIT';
    if (!submitted.delete(poRef)) submitted.add(poRef);
    return { action };
  };
  const here = { direct: process.pid };
  const rows = [
    ...(await measure('GET detail, product', url, { ...services, kafka }, (c, n) =>
      request('GET', `/api/purchase-orders/${own(c, n)}`, buyer),
    )),
    ...(await measure('GET detail, direct', direct.url, here, (c, n) => request('GET', `/direct/${own(c, n)}`, buyer))),
    ...(await measure('transition, product', url, { ...services, kafka }, (c) =>
      request('POST', `/api/purchase-orders/${poNumber(c)}/transition`, vendor, toggle(poNumber(c))),
    )),
    ...(await measure('transition, direct', direct.url, here, (c) =>
      request('POST', `/direct/${poNumber(c)}`, vendor, { action: 'SUBMIT' }),
    )),
  ];
  const table = rows.map(({ what, connections, requestsPerSecond, p50, p99, errors, cpuMs }) => {
    const other = rows.find((row) => row.what === what.replace('product', 'direct') && row.connections === connections);
    return rounded({
      what,
      connections,
      'req/s': requestsPerSecond,
      'p50 ms': p50,
      'p99 ms': p99,
      errors,
      'of direct': requestsPerSecond / (other?.requestsPerSecond ?? Number.NaN),
      ...Object.fromEntries(Object.entries(cpuMs).map(([name, cpu]) => [`${name} CPU ms`, cpu])),
    });
  });
  console.table(table);
  console.table(resting.map(rounded));
  process.stdout.write(`import: ${importsPerSecond.toFixed(0)} orders/s of ${CELLS} cells, end to end\n`);
  mkdirSync('.local', { recursive: true });
  writeFileSync(
    '.local/bench.json',
    JSON.stringify({ at: new Date().toISOString(), importsPerSecond, resting, rows }, null, 2),
  );
} finally {
  await direct.close();
  await stop();
}
