import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import { type Span, activeSpan, isDefect, tracedBatch } from '@po/platform';
import { isContentError } from './content-error.js';

interface Waiting<Item> {
  item: Item;
  span: Span | undefined;
  resolve: () => void;
  reject: (reason: unknown) => void;
}

interface Limits<Item> {
  /** Maximum number of items in a batch. */
  maxItems: number;
  /** Weight of an item, and the maximum weight of a batch. A heavier item is stored in its own batch. */
  weigh?: { of: (item: Item) => number; maxWeight: number };
  /** Number of batches stored concurrently; 1 if absent. */
  concurrency?: number;
  /** Minimum milliseconds between the starts of two batches that are not full: one item costs about as much as ten. */
  minIntervalMs?: number;
}

/**
 * Stores waiting items in batches. While a batch is being stored, new items queue in order for the next one; a single item does not
 * wait. `store` must be safe to repeat, because the items of a failed batch are stored again.
 */
export class GroupCommit<Item> {
  private readonly waiting: Waiting<Item>[] = [];
  private storing = 0;
  private limit: number;
  private startedAt = -Infinity;

  constructor(
    private readonly store: (items: readonly Item[]) => Promise<void>,
    private readonly limits: Limits<Item>,
  ) {
    this.limit = limits.maxItems;
  }

  /** Resolves once the item is stored; rejects with the error if it is not. */
  add(item: Item): Promise<void> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, span: activeSpan(), resolve, reject });
      if (this.storing < (this.limits.concurrency ?? 1)) void this.storeAll();
    });
  }

  private async storeAll(): Promise<void> {
    this.storing += 1;
    while (this.waiting.length > 0) {
      // Waits for the rest of the fetch, which arrives in this event-loop turn. Otherwise the first batch would always hold one item.
      await setImmediate();
      const early = this.startedAt + (this.limits.minIntervalMs ?? 0) - performance.now();
      if (early > 0 && this.waiting.length < this.limit) await delay(early);
      this.startedAt = performance.now();
      const batch = this.waiting.splice(0, this.nextSize());
      // A concurrent call may have emptied the queue.
      if (batch.length > 0) await this.storeBatch(batch);
    }
    this.storing -= 1;
  }

  private nextSize(): number {
    const { weigh } = this.limits;
    if (!weigh) return this.limit;
    let weight = 0;
    const heavy = this.waiting.findIndex(({ item }, index) => {
      weight += weigh.of(item);
      return index > 0 && weight > weigh.maxWeight;
    });
    return heavy < 0 ? this.limit : Math.min(heavy, this.limit);
  }

  private async storeBatch(batch: readonly Waiting<Item>[]): Promise<void> {
    const error = await this.failureOf(batch);
    if (error === undefined) return;
    if (batch.length === 1 || !isOfItem(error)) return rejectAll(batch, error);
    for (const [index, one] of batch.entries()) {
      const reason = await this.failureOf([one]);
      if (reason === undefined) continue;
      // The remaining items would wait for the same store, each until its own timeout.
      if (!isOfItem(reason)) return rejectAll(batch.slice(index), reason);
      one.reject(reason);
    }
  }

  /** Stores the batch. Resolves with the error, or with undefined if it is stored. */
  private async failureOf(batch: readonly Waiting<Item>[]): Promise<unknown> {
    try {
      const spans = batch.map(({ span }) => span);
      await tracedBatch('store batch', spans, () => this.store(batch.map(({ item }) => item)));
      this.limit = Math.min(this.limit * 2, this.limits.maxItems);
      for (const { resolve } of batch) resolve();
      return undefined;
    } catch (error) {
      // A batch too large for the statement timeout would always fail at the same size.
      this.limit = Math.max(1, Math.floor(this.limit / 2));
      return error;
    }
  }
}

/** True if an item is at fault, not the store. */
const isOfItem = (error: unknown): boolean => isContentError(error) || isDefect(error);

function rejectAll<Item>(waiting: readonly Waiting<Item>[], reason: unknown): void {
  for (const { reject } of waiting) reject(reason);
}
