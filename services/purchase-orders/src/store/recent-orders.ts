import type { Cell } from '../domain/order.js';
import type { ActivityRow, Stamp, StoredOrder } from './stored-order.js';

/** The parts of an order that need not be read again while its row has this stamp. */
export interface RecentParts {
  stamp: Stamp;
  /** In source order; removed ones included. */
  cells: readonly Cell[];
  recentActivity: readonly ActivityRow[];
}

/** Of all orders together; a cell and what is written of it take about 1.5 KB. */
const MOST_CELLS = 20_000;

/**
 * The cells of the orders that this process read or wrote last: who edits an order of thousands of rows asks for it again and again. What
 * is stored decides; each use compares the stamp with the order's row, read in its own transaction.
 */
export class RecentOrders {
  private readonly kept = new Map<string, RecentParts>();
  private cells = 0;

  constructor(private readonly mostCells = MOST_CELLS) {}

  find(poNumber: string): RecentParts | null {
    return this.kept.get(poNumber) ?? null;
  }

  /** Keeps parts as they are stored; those of the orders that were used longest ago go. */
  keep(poNumber: string, parts: RecentParts): void {
    this.forget(poNumber);
    this.kept.set(poNumber, parts);
    this.cells += weightOf(parts);
    for (const oldest of this.kept.keys()) {
      if (this.cells <= this.mostCells) break;
      this.forget(oldest);
    }
  }

  private forget(poNumber: string): void {
    const parts = this.kept.get(poNumber);
    if (!parts) return;
    this.kept.delete(poNumber);
    this.cells -= weightOf(parts);
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

// An order without cells is something too.
const weightOf = ({ cells }: RecentParts): number => cells.length + 1;
