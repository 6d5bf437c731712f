import { setTimeout as delay } from 'node:timers/promises';
import { HEADERS, TOPICS } from '@po/contracts';
import type { ProducerPort } from '@po/messaging';
import { type Snapshot, newSnapshot } from '../faults/orders.js';
import type { Outcome } from '../faults/operation-log.js';
import type { Random } from '../faults/random.js';
import type { World } from '../faults/world.js';

/** Few orders with many revisions each, because the oracle reads every order ever imported. */
const ORDERS = 150;
const ROUND = 30;
/** 300 messages per second. */
const ROUND_EVERY_MS = 100;
/** Enough to keep records queued throughout, few enough for the oracle to check. */
const ROUNDS = 120;

const ACKNOWLEDGED: Outcome = { kind: 'acknowledged', status: 0, version: null, historyId: null, replayed: false };

/** Sends inventory changes faster than the services handle them. The oracle checks each change as an operation. */
export class BulkImport {
  private readonly snapshots: Snapshot[];
  private readonly producer: ProducerPort;
  private stopped = false;
  private readonly running: Promise<void>;

  constructor(
    private readonly world: World,
    private readonly scenario: string,
    random: Random,
  ) {
    const prefix = `B-${world.seed}-${world.log.operations.length}`;
    this.snapshots = Array.from({ length: ORDERS }, (_, index) => newSnapshot(`${prefix}-${index}`, random));
    this.producer = world.kafka.producer({ acks: 'all' });
    this.running = this.run();
  }

  /** Resolves when the last change is acknowledged, or recorded as unknown. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
    await this.producer.disconnect();
  }

  private async run(): Promise<void> {
    let connected = false;
    for (let round = 0; round < ROUNDS && !this.stopped; round += 1) {
      const startedAt = performance.now();
      try {
        if (!connected) await this.producer.connect();
        connected = true;
      } catch {
        await delay(ROUND_EVERY_MS);
        continue;
      }
      connected = await this.send(round);
      await delay(Math.max(0, ROUND_EVERY_MS - (performance.now() - startedAt)));
    }
  }

  private async send(round: number): Promise<boolean> {
    const first = (round * ROUND) % ORDERS;
    const chosen = this.snapshots.slice(first, first + ROUND);
    const operations = chosen.map((snapshot) => {
      if (round >= ORDERS / ROUND) snapshot.sourceRevision += 1;
      const { poNumber: target, sourceRevision } = snapshot;
      const user = 'inventory';
      const detail = String(sourceRevision);
      return this.world.log.begin({ kind: 'source', scenario: this.scenario, user, target, detail });
    });
    const records = chosen.map((snapshot, index) => ({
      topic: TOPICS.inventory,
      key: snapshot.poNumber,
      value: JSON.stringify({ ...snapshot, remarks: operations[index]?.mark }),
      headers: { [HEADERS.inventoryType]: 'purchase-order.upserted' },
    }));
    try {
      await this.producer.send(records);
      for (const { attempts } of operations) attempts.push(ACKNOWLEDGED);
      return true;
    } catch (error) {
      const why = (error as Error).message;
      for (const { attempts } of operations) attempts.push({ kind: 'unknown', why, key: null });
      return false;
    }
  }
}
