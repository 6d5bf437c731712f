import { HEADERS, type INVENTORY_TYPES, type InventoryType, TOPICS } from '@po/contracts';
import type { KafkaPort, ProducerPort } from '@po/messaging';
import type { z } from 'zod';
import type { OperationLog, Outcome } from './operation-log.js';
import type { Random } from './random.js';
import { VENDORS } from './users.js';

export type Snapshot = z.input<(typeof INVENTORY_TYPES)['purchase-order.upserted']>;

/** An order as the tests know it: the latest snapshot from the source and the last known status. */
export interface Order {
  snapshot: Snapshot;
  statusId: number;
  version: number;
}

const SIZES = ['S', 'M', 'L', 'XL'];
/** A buyer without an account, so that every buyer is notified. */
const UNKNOWN_BUYER = { name: 'Nobody Yet', email: 'nobody@example.com' };

/** A new order of a random vendor with two styles in four sizes. */
export function newSnapshot(poNumber: string, random: Random): Snapshot {
  return {
    poNumber,
    sourceRevision: 1,
    poDate: '2026-01-05',
    xfd: '2027-03-01',
    vendor: { ...random.pick(VENDORS) },
    currency: 'USD',
    factory: 'Ningbo 2',
    buyer: random.chance(0.8) ? { name: 'Dana Reyes', email: 'buyer@example.com' } : UNKNOWN_BUYER,
    lines: ['TS-100', 'TS-200'].flatMap((style, item) =>
      SIZES.map((size, index) => ({
        lineId: String(item * SIZES.length + index + 1),
        code: `${style}-NVY`,
        style,
        size,
        color: 'NVY',
        qty: random.int(1, 500),
        unitPrice: random.int(400, 4_000) / 100,
      })),
    ),
  };
}

interface InventoryValue {
  poNumber: string;
  [field: string]: unknown;
}

/** Field of a message that holds the mark of its operation. */
const MARKED: Record<InventoryType, string> = {
  'purchase-order.upserted': 'remarks',
  'purchase-order.cancelled': 'reason',
};

/** The inventory system: sends messages to its topic in the order of the calls. */
export class InventorySystem {
  private producer: ProducerPort | null = null;
  private sending: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly kafka: KafkaPort,
    private readonly log: OperationLog,
  ) {}

  /** Sends messages together, each as an operation of the log, and records their outcome. */
  async sendLogged(
    scenario: string,
    type: InventoryType,
    ...values: (InventoryValue & { sourceRevision: number })[]
  ): Promise<Outcome> {
    const operations = values.map(({ poNumber: target, sourceRevision }) =>
      this.log.begin({ kind: 'source', scenario, user: 'inventory', target, detail: String(sourceRevision) }),
    );
    const marked = values.map((value, index) => ({ ...value, [MARKED[type]]: operations[index]?.mark }));
    const outcome = await this.send(type, ...marked);
    for (const { attempts } of operations) attempts.push(outcome);
    return outcome;
  }

  /** Sends messages together. The outcome is unknown if the broker does not acknowledge them: they may be on the topic. */
  send(type: InventoryType, ...values: InventoryValue[]): Promise<Outcome> {
    const sent = this.sending.then(() => this.attempt(type, values));
    this.sending = sent;
    return sent;
  }

  async close(): Promise<void> {
    await this.sending;
    await this.producer?.disconnect().catch(() => undefined);
  }

  private async attempt(type: InventoryType, values: readonly InventoryValue[]): Promise<Outcome> {
    const records = values.map((value) => ({
      topic: TOPICS.inventory,
      key: value.poNumber,
      value: JSON.stringify(value),
      headers: { [HEADERS.inventoryType]: type },
    }));
    try {
      if (!this.producer) {
        const producer = this.kafka.producer({ acks: 'all' });
        await producer.connect();
        this.producer = producer;
      }
      await this.producer.send(records);
      return { kind: 'acknowledged', status: 0, version: null, historyId: null, replayed: false };
    } catch (error) {
      const { producer } = this;
      this.producer = null;
      await producer?.disconnect().catch(() => undefined);
      return { kind: 'unknown', why: (error as Error).message, key: null };
    }
  }
}
