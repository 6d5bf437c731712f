import { Injectable } from '@nestjs/common';
import type { PurchaseOrderCancelled, PurchaseOrderUpserted } from '@po/contracts';
import type { Send } from '@po/database';
import { ContentError, type EventContext, OutboxRelay } from '@po/messaging';
import { type Reconciliation, reconcile, reconcileCancellation } from '../domain/reconcile.js';
import { actOn, syncOf } from '../orders/act.js';
import { recordAct, recordCreation, recordSync } from '../orders/record-act.js';
import { Databases } from '../store/databases.js';
import { loadOrder } from '../store/load-order.js';
import type { StoredOrder } from '../store/stored-order.js';
import { cancelledRevision, lockReference, rememberCancellation } from './source-cancellations.js';
import { sourceOrderOf } from './source-order.js';
import { saveVendor, vendorNameOf } from './vendors.js';

/** Takes in what the inventory system says: each message is one transaction { lock, load, reconcile, record }. */
@Injectable()
export class InventoryService {
  constructor(
    private readonly databases: Databases,
    private readonly relay: OutboxRelay,
  ) {}

  /** Throws ContentError when the order would move to another vendor: everybody's view of it depends on the code. */
  async upserted(snapshot: PurchaseOrderUpserted, { traceparent }: EventContext): Promise<void> {
    const { poNumber, sourceRevision, vendor } = snapshot;
    await this.databases.internal.transaction(null, async (send) => {
      // Sent together; the lock is granted before the others run.
      const [, stored, cancelledAt, knownName] = await Promise.all([
        lockReference(send, poNumber),
        loadOrder(send, poNumber),
        cancelledRevision(send, poNumber),
        vendorNameOf(send, vendor.code),
      ]);
      if (stored && stored.vendorCode !== vendor.code) {
        throw new ContentError(`order ${poNumber} belongs to vendor ${stored.vendorCode}, not ${vendor.code}`);
      }
      if (!stored && sourceRevision <= (cancelledAt ?? -1)) return;
      const outcome = reconcile(stored, sourceOrderOf(snapshot));
      if (outcome.kind === 'ignored') return;
      // Orders refer to it, so it comes before the first of them.
      await saveVendor(send, vendor, knownName);
      await record(send, stored, outcome, { vendorName: vendor.name, comment: null, traceparent });
    });
    this.relay.wake();
  }

  async cancelled(cancellation: PurchaseOrderCancelled, { traceparent }: EventContext): Promise<void> {
    const { poNumber, sourceRevision, reason } = cancellation;
    await this.databases.internal.transaction(null, async (send) => {
      const [, stored] = await Promise.all([lockReference(send, poNumber), loadOrder(send, poNumber)]);
      if (!stored) return rememberCancellation(send, poNumber, sourceRevision);
      const { vendorName } = stored;
      const outcome = reconcileCancellation(stored, cancellation);
      return record(send, stored, outcome, { vendorName, comment: reason, traceparent });
    });
    this.relay.wake();
  }
}

async function record(
  send: Send,
  before: StoredOrder | null,
  outcome: Reconciliation,
  { vendorName, comment, traceparent }: { vendorName: string; comment: string | null; traceparent: string },
): Promise<void> {
  const now = new Date();
  switch (outcome.kind) {
    case 'ignored':
      return;
    case 'synced':
      if (before) await recordSync(send, syncOf(before, outcome.order, now));
      return;
    case 'changed': {
      const { order: after, act: action, changes } = outcome;
      const entry = action && { action, comment, actor: null, changes };
      const change = { after, entry, now, synced: { vendorName } };
      if (before) await recordAct(send, actOn(before, change), before.version, { traceparent, answer: null });
      else await recordCreation(send, change, traceparent);
      return;
    }
    default:
      return outcome satisfies never;
  }
}
