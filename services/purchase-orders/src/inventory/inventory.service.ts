import { Injectable } from '@nestjs/common';
import type { PurchaseOrderCancelled, PurchaseOrderUpserted } from '@po/contracts';
import type { Send } from '@po/database';
import { ContentError, type EventContext, GroupCommit, OutboxRelay } from '@po/messaging';
import { Counter } from 'prom-client';
import { type Reconciliation, reconcile, reconcileCancellation } from '../domain/reconcile/reconcile.js';
import type { AdoptedSettings } from '../domain/reminders/reminders.js';
import { type Synced, updateOf, creationOf, syncOf, timeOfChange } from '../orders/order-change.js';
import { type SourceChange, saveSourceChanges } from '../orders/save-source-changes.js';
import { AdoptedReminderSettings } from '../store/adopted-reminder-settings.js';
import { Databases } from '../store/databases.js';
import { loadOrders } from '../store/load-order.js';
import type { StoredOrder } from '../store/stored-order.js';
import { knownOrders, lastDigest, recordRepetitions } from './known-orders.js';
import { cancelledRevisions, lockReferences, saveCancellation } from './source-cancellations.js';
import { contentHashOf, digestOf, sourceOrderOf } from './source-order.js';
import { saveVendors, vendorNamesOf } from './vendors.js';

interface Arrival {
  snapshot: PurchaseOrderUpserted;
  contentHash: string;
  traceparent: string;
}

/**
 * Search indexes up to 200 characters of each line: for 5,000 lines, one statement adds a million index entries. An order of more than 500
 * lines is stored alone, with a longer statement timeout in proportion to its lines.
 */
const LARGE = { rows: 500, statementMsOfRow: 10 };

/** Limits of one transaction, whose cost grows with the lines. */
const BATCH = {
  maxItems: 50,
  weigh: {
    of: (arrival: Arrival) => (rowsOf(arrival) > LARGE.rows ? Infinity : rowsOf(arrival)),
    maxWeight: 2_500,
  },
  // While PostgreSQL stores one batch, the next is computed.
  concurrency: 2,
};

const ignored = new Counter({
  name: 'inventory_ignored_total',
  help: 'Messages from the inventory system without effect: their revision is not above the last one, or the order is cancelled',
});

/** Applies messages from the inventory system. Waiting orders share one transaction: lock, load, reconcile, save. */
@Injectable()
export class InventoryService {
  private readonly arrivals = new GroupCommit<Arrival>((arrivals) => this.take(arrivals), BATCH);

  constructor(
    private readonly databases: Databases,
    private readonly relay: OutboxRelay,
    private readonly reminders: AdoptedReminderSettings,
  ) {}

  /** Rejects with ContentError if the order would move to another vendor, because the vendor code decides who may see it. */
  upserted(snapshot: PurchaseOrderUpserted, { traceparent }: EventContext): Promise<void> {
    return this.arrivals.add({ snapshot, contentHash: contentHashOf(snapshot), traceparent });
  }

  async cancelled(cancellation: PurchaseOrderCancelled, { traceparent }: EventContext): Promise<void> {
    const { poNumber, sourceRevision, reason } = cancellation;
    const isIgnored = await this.databases.internal.transaction(null, async (send) => {
      const [, stored, digest] = await Promise.all([
        lockReferences(send, [poNumber]),
        this.databases.orders.lock(send, poNumber, null),
        lastDigest(send, poNumber),
      ]);
      if (!stored) {
        await saveCancellation(send, poNumber, sourceRevision);
        return false;
      }
      const contentHash = contentHashOf(cancellation);
      const isRepeated = digest === digestOf(stored.sourceRevision, contentHash);
      const outcome = reconcileCancellation(stored, { sourceRevision, isRepeated });
      const synced = { vendorName: stored.vendorName, digest: digestOf(sourceRevision, contentHash) };
      const change = sourceChangeOf(stored, outcome, {
        id: stored.id,
        synced,
        comment: reason,
        traceparent,
        now: timeOfChange(stored),
        reminderSettings: this.reminders.current,
      });
      await saveSourceChanges(send, change ? [change] : []);
      return change === null;
    });
    if (isIgnored) ignored.inc();
    this.relay.wake();
  }

  private async take(waiting: readonly Arrival[]): Promise<void> {
    const arrivals = firstOfEachOrder(waiting);
    const [first, ...others] = arrivals;
    const rows = first && others.length === 0 ? rowsOf(first) : 0;
    const without = await this.databases.internal.transaction(
      null,
      (send) => this.store(send, arrivals),
      rows > LARGE.rows ? rows * LARGE.statementMsOfRow : undefined,
    );
    ignored.inc(without);
    this.relay.wake();
    const later = waiting.filter((arrival) => !arrivals.includes(arrival));
    if (later.length > 0) await this.take(later);
  }

  /** Resolves with the number of messages without effect. */
  private async store(send: Send, arrivals: readonly Arrival[]): Promise<number> {
    const snapshots = arrivals.map(({ snapshot }) => snapshot);
    const poNumbers = snapshots.map(({ poNumber }) => poNumber);
    // Sent together; PostgreSQL grants the locks before it runs the other statements.
    const [, repeated, known, cancelledAt, vendorNames] = await Promise.all([
      lockReferences(send, poNumbers),
      recordRepetitions(send, arrivals),
      knownOrders(send, poNumbers),
      cancelledRevisions(send, poNumbers),
      vendorNamesOf(send, [...new Set(snapshots.map(({ vendor }) => vendor.code))]),
    ]);
    const newer = arrivals.flatMap((arrival) => {
      const { poNumber, sourceRevision, vendor } = arrival.snapshot;
      const order = known.get(poNumber);
      if (!order || repeated.has(poNumber)) return [];
      const latest = order.sourceRevision ?? cancelledAt.get(poNumber) ?? -1;
      if (sourceRevision <= latest) return [];
      if (order.vendorCode !== null && order.vendorCode !== vendor.code) {
        throw new ContentError(`order ${poNumber} belongs to vendor ${order.vendorCode}, not ${vendor.code}`);
      }
      return [{ ...arrival, id: order.id }];
    });
    const stored = await loadOrders(
      send,
      newer.map(({ id }) => id),
    );
    const reminderSettings = this.reminders.current;
    const changes = newer.flatMap(({ snapshot, contentHash, traceparent, id }) => {
      const before = stored.get(id) ?? null;
      const synced = {
        vendorName: snapshot.vendor.name,
        digest: digestOf(snapshot.sourceRevision, contentHash),
      };
      const outcome = reconcile(before, sourceOrderOf(snapshot));
      const now = timeOfChange(before);
      const context = { id, synced, comment: null, traceparent, now, reminderSettings };
      return sourceChangeOf(before, outcome, context) ?? [];
    });
    // Orders reference vendors, so the vendors are saved first.
    const vendors = changes.map(({ change: { order } }) => ({ code: order.vendorCode, name: order.vendorName }));
    saveVendors(send, vendors, vendorNames);
    await saveSourceChanges(send, changes);
    return arrivals.length - repeated.size - changes.length;
  }
}

function rowsOf({ snapshot }: Arrival): number {
  return snapshot.lines.length;
}

// Snapshots of one order are applied one at a time, because each builds on the previous result.
function firstOfEachOrder(arrivals: readonly Arrival[]): Arrival[] {
  const seen = new Set<string>();
  return arrivals.filter(({ snapshot: { poNumber } }) => seen.size < seen.add(poNumber).size);
}

interface SourceContext {
  /** Order id; for a new order, the id that it will get. */
  id: number;
  synced: Synced;
  comment: string | null;
  traceparent: string;
  now: Date;
  reminderSettings: AdoptedSettings;
}

/** The change that a message causes; null if there is none. */
function sourceChangeOf(
  before: StoredOrder | null,
  outcome: Reconciliation,
  { id, synced, comment, traceparent, now, reminderSettings }: SourceContext,
): SourceChange | null {
  const version = before && before.version;
  switch (outcome.kind) {
    case 'ignored':
      return null;
    case 'synced':
      return before && { change: syncOf(before, outcome.order, synced, now), version, traceparent: null };
    case 'changed': {
      const { order: after, action, changes } = outcome;
      const entry = action && { action, comment, actor: null, changes };
      const details = { after, entry, now, reminderSettings, synced };
      return { change: before ? updateOf(before, details) : creationOf(id, details), version, traceparent };
    }
    default:
      return outcome satisfies never;
  }
}
