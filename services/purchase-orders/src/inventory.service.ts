import { Injectable } from '@nestjs/common';
import type { PurchaseOrderCancelled, PurchaseOrderUpserted } from '@po/contracts';
import { ContentError, type EventContext, OutboxRelay } from '@po/messaging';
import type { EntityManager } from 'typeorm';
import { Databases } from './databases.js';
import { loadOrder } from './load-order.js';
import { type Reconciliation, reconcile, reconcileCancellation } from './reconcile.js';
import { recordAct } from './record-act.js';
import { recordSync } from './record-sync.js';
import { cancelledRevision, lockReference, rememberCancellation } from './source-cancellations.js';
import type { StoredOrder } from './stored-order.js';
import { saveVendor } from './vendors.js';

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
    return this.ingest(poNumber, async (manager, stored) => {
      if (stored && stored.vendorCode !== vendor.code) {
        throw new ContentError(`order ${poNumber} belongs to vendor ${stored.vendorCode}, not ${vendor.code}`);
      }
      if (!stored && sourceRevision <= ((await cancelledRevision(manager, poNumber)) ?? -1)) return;
      const outcome = reconcile(stored, snapshot);
      if (outcome.kind === 'ignored') return;
      await saveVendor(manager, vendor);
      const before = stored && { ...stored, vendorName: vendor.name };
      await record(manager, before, outcome, { comment: null, traceparent });
    });
  }

  cancelled(cancellation: PurchaseOrderCancelled, { traceparent }: EventContext): Promise<void> {
    const { poNumber, sourceRevision, reason } = cancellation;
    return this.ingest(poNumber, async (manager, stored) => {
      if (!stored) return rememberCancellation(manager, poNumber, sourceRevision);
      return record(manager, stored, reconcileCancellation(stored, cancellation), { comment: reason, traceparent });
    });
  }

  private async ingest(
    poNumber: string,
    take: (manager: EntityManager, stored: StoredOrder | null) => Promise<void>,
  ): Promise<void> {
    await this.databases.internal.transaction(null, async (manager) => {
      await lockReference(manager, poNumber);
      await take(manager, await loadOrder(manager, poNumber));
    });
    this.relay.wake();
  }
}

async function record(
  manager: EntityManager,
  before: StoredOrder | null,
  outcome: Reconciliation,
  { comment, traceparent }: { comment: string | null; traceparent: string },
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
      await recordAct(manager, { before, after, entry, now, traceparent, synced: true });
      return;
    }
    default:
      return outcome satisfies never;
  }
}
