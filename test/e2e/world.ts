import { randomUUID } from 'node:crypto';
import {
  type HistoryEntry,
  INVENTORY_TYPES,
  type InventoryType,
  type LineItem,
  type PurchaseOrderDetail,
  TOPICS,
} from '@po/contracts';
import { type IncomingRecord, type KafkaPort, connectKafka, readTopic } from '@po/messaging';
import { pino } from 'pino';
import type { z } from 'zod';
import type { PurchaseOrderClient } from '@po/client';
import { type Answer, type Api, apiClient, typedClient } from '../support/api-client.js';
import { eventually } from '@po/testing/eventually';
import { sendRecords } from '../support/send-records.js';
import { type DemoUser, readStack } from '../support/stack.js';

/** An order as the inventory system sends it. Tests change the fields that matter to them. */
export type Snapshot = z.input<(typeof INVENTORY_TYPES)['purchase-order.upserted']>;

/** The stack as a test sees it. A separate vendor per test file isolates its counts and lists from other tests. */
export interface World {
  kafka: KafkaPort;
  as: (user: DemoUser) => Api;
  /** A new session of a user in the typed client, which remembers the versions that it has read. */
  session: (user: DemoUser) => PurchaseOrderClient;
  produce: (key: string | null, value: Buffer | string | null, type?: string) => Promise<void>;
  /** Sends the order and waits until this revision is imported. */
  importOrder: (changes?: Partial<Snapshot>) => Promise<Snapshot>;
  send: (type: InventoryType, value: { poNumber: string; [field: string]: unknown }) => Promise<void>;
  records: (topic: string, poRef: string) => Promise<Record<string, unknown>[]>;
  raw: (topic: string, accept: (record: IncomingRecord) => boolean) => Promise<IncomingRecord[]>;
}

export const newPoNumber = (): string => `E2E-${randomUUID().slice(0, 18).toUpperCase()}`;

function snapshot(changes: Partial<Snapshot> = {}): Snapshot {
  const line = (lineId: string, size: string, qty: number, color = 'NVY') => ({
    lineId,
    code: `TS-100-${color}`,
    style: 'TS-100',
    color,
    size,
    sku: `TS100-${color}-${size}`,
    qty,
    unitPrice: 12.5,
  });
  return {
    poNumber: newPoNumber(),
    sourceRevision: 1,
    poDate: '2026-01-05',
    xfd: '2027-03-01',
    vendor: { code: 'ACME', name: 'Acme Apparel Ltd.' },
    currency: 'USD',
    factory: 'Ningbo 2',
    buyer: { name: 'Dana Reyes', email: 'buyer@example.com' },
    lines: [line('1', 'S', 10), line('2', 'M', 20), line('3', 'L', 30), line('4', 'M', 5, 'RED')],
    ...changes,
  };
}

/** The world of the given stack; default: the stack that all end-to-end tests share. */
export function openWorld(
  stack: Pick<ReturnType<typeof readStack>, 'kafkaBrokers' | 'gatewayUrl' | 'tokens'> = readStack(),
): World {
  const kafka = connectKafka({ KAFKA_BROKERS: stack.kafkaBrokers.split(',') }, 'e2e', pino({ level: 'silent' }));
  const as = (user: DemoUser) => apiClient(stack.gatewayUrl, stack.tokens[user]);
  const produce: World['produce'] = async (key, value, type) => {
    const headers: Record<string, string> = type === undefined ? {} : { type };
    const attempt = () => sendRecords(kafka, [{ topic: TOPICS.inventory, key, value, headers }]);
    // On a busy machine a connection may be late. In this case nothing was sent.
    const again = (error: Error) => (error.name === 'NotConnectedError' ? attempt() : Promise.reject(error));
    await attempt().catch(again).catch(again).catch(again);
  };
  const send: World['send'] = (type, value) => produce(value.poNumber, JSON.stringify(value), type);
  const raw: World['raw'] = async (topic, accept) => {
    const records: IncomingRecord[] = [];
    await readTopic(kafka, topic, (record) => {
      if (accept(record)) records.push(record);
    });
    return records;
  };
  return {
    kafka,
    as,
    session: (user) => typedClient({ baseUrl: `${stack.gatewayUrl}/api`, token: stack.tokens[user] }),
    produce,
    send,
    raw,
    records: async (topic, poRef) =>
      (await raw(topic, ({ key }) => key?.toString() === poRef)).map(
        ({ value }) => JSON.parse(String(value)) as Record<string, unknown>,
      ),
    importOrder: async (changes) => {
      const order = snapshot(changes);
      await send('purchase-order.upserted', order);
      await eventually(`${order.poNumber} is imported`, async () => {
        const answer = await as('admin').get<PurchaseOrderDetail>(`/purchase-orders/${order.poNumber}`);
        return answer.status === 200 && answer.body.sourceRevision >= order.sourceRevision;
      });
      return order;
    },
  };
}

export const detailOf = async (api: Api, poRef: string): Promise<PurchaseOrderDetail> =>
  okBody(await api.get<PurchaseOrderDetail>(`/purchase-orders/${poRef}`));

export const linesOf = async (api: Api, poRef: string): Promise<LineItem[]> =>
  okBody(await api.get<LineItem[]>(`/purchase-orders/${poRef}/line-items`));

export const historyOf = async (api: Api, poRef: string): Promise<HistoryEntry[]> =>
  okBody(await api.get<HistoryEntry[]>(`/purchase-orders/${poRef}/history`));

/** Executes an action that must succeed. */
export async function act(
  api: Api,
  poRef: string,
  action: string,
  comment?: string,
): Promise<{ historyId: string; version: number }> {
  return okBody(await api.post(`/purchase-orders/${poRef}/transition`, { action, ...(comment ? { comment } : {}) }));
}

function okBody<T>(answer: Answer<T>): T {
  if (answer.status !== 200) throw new Error(`answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Everything that a refused request must leave unchanged. */
export async function footprint(api: Api, poRef: string): Promise<unknown> {
  const [read, lines, history] = await Promise.all([detailOf(api, poRef), linesOf(api, poRef), historyOf(api, poRef)]);
  const { lastSyncedAt: _moves, availableActions: _derived, ...detail } = read;
  return { detail, lines, history };
}
