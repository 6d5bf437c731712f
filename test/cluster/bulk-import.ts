import { setTimeout as delay } from 'node:timers/promises';
import { InventorySystem, type Snapshot, newSnapshot } from '../faults/orders.js';
import type { Random } from '../faults/random.js';
import type { World } from '../faults/world.js';

/** Few orders with many revisions each, because the oracle reads every order ever imported. */
const ORDERS = 150;
const ROUND = 30;
/** 300 messages per second. */
const ROUND_EVERY_MS = 100;
/** Keeps most rounds for the time after an outage. */
const FAILED_ROUND_MS = 1_000;
/** Enough to keep records queued throughout, few enough for the oracle to check. */
const ROUNDS = 120;

/** Sends inventory changes faster than the services handle them. The oracle checks each change as an operation. */
export class BulkImport {
  private readonly snapshots: Snapshot[];
  private readonly inventory: InventorySystem;
  private stopped = false;
  private readonly running: Promise<void>;

  constructor(
    world: World,
    private readonly scenario: string,
    random: Random,
  ) {
    const prefix = `B-${world.seed}-${world.log.operations.length}`;
    this.snapshots = Array.from({ length: ORDERS }, (_, index) => newSnapshot(`${prefix}-${index}`, random));
    // Apart from that of the other operations, which must not wait for these.
    this.inventory = new InventorySystem(world.kafka, world.log);
    this.running = this.run();
  }

  /** Resolves when the last change is acknowledged, or recorded as unknown. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.running;
    await this.inventory.close();
  }

  private async run(): Promise<void> {
    for (let round = 0; round < ROUNDS && !this.stopped; round += 1) {
      const startedAt = performance.now();
      const first = (round * ROUND) % ORDERS;
      const chosen = this.snapshots.slice(first, first + ROUND);
      if (round >= ORDERS / ROUND) for (const snapshot of chosen) snapshot.sourceRevision += 1;
      const { kind } = await this.inventory.sendLogged(this.scenario, 'purchase-order.upserted', ...chosen);
      const takes = kind === 'acknowledged' ? ROUND_EVERY_MS : FAILED_ROUND_MS;
      await delay(Math.max(0, takes - (performance.now() - startedAt)));
    }
  }
}
