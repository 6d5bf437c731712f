import type { Cell } from '../domain/order.js';
import type { ActivityRow, Stamp, StoredOrder } from './stored-order.js';

/** The parts of an order that need not be read again while its row has this stamp. */
export interface RecentParts {
  stamp: Stamp;
  /** In source order; removed ones included. */
  cells: readonly Cell[];
  recentActivity: readonly ActivityRow[];
}

/** Cells and status changes of all orders together; a cell and what is written of it take about 1.5 KB. */
const MOST = 20_000;

/**
 * The cells of the orders that this process read or wrote last: who edits an order of thousands of rows asks for it again and again. What
 * is stored decides; each use compares the stamp with the order's row, read in its own transaction.
 */
export class RecentOrders {
  private readonly kept = new Map<string, RecentParts>();
  private weight = 0;

  constructor(private readonly most = MOST) {}

  find(poNumber: string): RecentParts | null {
    return this.kept.get(poNumber) ?? null;
  }

  /** Keeps parts as they are stored; those of the orders that were used longest ago go. */
  keep(poNumber: string, parts: RecentParts): void {
    this.forget(poNumber);
    this.kept.set(poNumber, parts);
    this.weight += weightOf(parts);
    for (const oldest of this.kept.keys()) {
      if (this.weight <= this.most) break;
      this.forget(oldest);
    }
  }

  private forget(poNumber: string): void {
    const parts = this.kept.get(poNumber);
    if (!parts) return;
    this.kept.delete(poNumber);
    this.weight -= weightOf(parts);
  }
}

/** The parts that are kept of an order that is stored as it is. */
export function partsOf({
  version,
  sourceRevision,
  updatedAt,
  lastSyncedAt,
  cells,
  recentActivity,
}: StoredOrder): RecentParts {
  return { stamp: { version, sourceRevision, updatedAt, lastSyncedAt }, cells, recentActivity };
}

/** True when the parts are those of a row with this stamp. */
export function areCurrent({ stamp }: RecentParts, row: Stamp): boolean {
  return (
    stamp.version === row.version &&
    stamp.sourceRevision === row.sourceRevision &&
    stamp.updatedAt === row.updatedAt &&
    stamp.lastSyncedAt === row.lastSyncedAt
  );
}

// A status change is as much as a cell, and an order without any of both is something too.
const weightOf = ({ cells, recentActivity }: RecentParts): number => cells.length + recentActivity.length + 1;
