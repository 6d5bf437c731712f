import { Injectable } from '@nestjs/common';
import type { PurchaseOrderCancelled, PurchaseOrderUpserted } from '@po/contracts';
import { ContentError, type EventContext, OutboxRelay } from '@po/messaging';
import type { EntityManager } from 'typeorm';
import { Databases } from '../store/databases.js';
import { loadOrder } from '../store/load-order.js';
import { type Reconciliation, reconcile, reconcileCancellation } from '../domain/reconcile.js';
import { recordAct } from '../orders/record-act.js';
import { recordSync } from './record-sync.js';
import { cancelledRevision, lockReference, rememberCancellation } from './source-cancellations.js';
import type { Act, StoredOrder } from '../store/stored-order.js';
import { saveVendor, vendorNameOf } from './vendors.js';

/** Takes in what the inventory system says: each message is one transaction { lock, load, reconcile, record }. */
@Injectable()
export class InventoryService {
  constructor(
    private readonly databases: Databases,
    private readonly relay: OutboxRelay,
  ) {}

  /** Throws ContentError when the order would move to another vendor: everybody's view of it depends on the code. */
  upserted(snapshot: PurchaseOrderUpserted, { traceparent }: EventContext): Promise<void> {
    const { poNumber, sourceRevision, vendor } = snapshot;
    const ask = (manager: EntityManager) =>
      Promise.all([cancelledRevision(manager, poNumber), vendorNameOf(manager, vendor.code)]);
    return this.ingest(poNumber, ask, async (manager, stored, [cancelledAt, knownName]) => {
      if (stored && stored.vendorCode !== vendor.code) {
        throw new ContentError(`order ${poNumber} belongs to vendor ${stored.vendorCode}, not ${vendor.code}`);
      }
      if (!stored && sourceRevision <= (cancelledAt ?? -1)) return;
      const outcome = reconcile(stored, snapshot);
      if (outcome.kind === 'ignored') return;
      await saveVendor(manager, vendor, knownName);
      await record(manager, stored, outcome, { vendorName: vendor.name, comment: null, traceparent });
    });
  }

  cancelled(cancellation: PurchaseOrderCancelled, { traceparent }: EventContext): Promise<void> {
    const { poNumber, sourceRevision, reason } = cancellation;
    const nothing = () => Promise.resolve();
    return this.ingest(poNumber, nothing, async (manager, stored) => {
      if (!stored) return rememberCancellation(manager, poNumber, sourceRevision);
      const { vendorName } = stored;
      const outcome = reconcileCancellation(stored, cancellation);
      return record(manager, stored, outcome, { vendorName, comment: reason, traceparent });
    });
  }

  private async ingest<T>(
    poNumber: string,
    ask: (manager: EntityManager) => Promise<T>,
    take: (manager: EntityManager, stored: StoredOrder | null, answers: T) => Promise<void>,
  ): Promise<void> {
    await this.databases.internal.transaction(null, async (manager) => {
      // Sent together; the lock is granted before the others run.
      const [, stored, answers] = await Promise.all([
        lockReference(manager, poNumber),
        loadOrder(manager, poNumber),
        ask(manager),
      ]);
      await take(manager, stored, answers);
    });
    this.relay.wake();
  }
}

async function record(
  manager: EntityManager,
  before: StoredOrder | null,
  outcome: Reconciliation,
  { vendorName, comment, traceparent }: Pick<Act, 'vendorName' | 'traceparent'> & { comment: string | null },
): Promise<void> {
  const now = new Date();
  switch (outcome.kind) {
    case 'ignored':
      return;
    case 'synced':
      if (before) await recordSync(manager, before, outcome.order, now);
      return;
    case 'changed': {
      const { order: after, act: action, changes } = outcome;
      const entry = action && { action, comment, actor: null, changes };
      await recordAct(manager, { before, after, vendorName, entry, now, traceparent, synced: true });
      return;
    }
    default:
      return outcome satisfies never;
  }
}
