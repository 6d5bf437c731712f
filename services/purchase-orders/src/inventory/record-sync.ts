import type { EntityManager } from 'typeorm';
import type { Order } from '../domain/order.js';
import type { StoredOrder } from '../store/stored-order.js';
import { updateOrder } from '../store/update-order.js';

/**
 * Stores what the source sent when nothing that people see has changed: its revision, its last values and the time. The version
 * stays and nothing is published.
 */
export async function recordSync(manager: EntityManager, stored: StoredOrder, order: Order, now: Date): Promise<void> {
  const { version, sequence } = stored;
  await updateOrder(manager, stored, { ...stored, ...order, version, sequence, lastSyncedAt: now.toISOString() });
}
