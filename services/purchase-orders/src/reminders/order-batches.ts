import { isPermanent } from '@po/messaging';
import type { Logger } from '@po/platform';
import { Counter } from 'prom-client';

const SET_ASIDE_MS = 300_000;

const failures = new Counter({ name: 'reminders_failures_total', help: 'Batches of reminders that failed' });
export const countFailure = (): void => failures.inc();

/** What one transaction takes. */
export interface OrderBatch {
  /** Orders at most. */
  limit: number;
  /** Orders that are left out. */
  without: readonly number[];
  /** Told of the orders before anything is written of them. */
  onTaken: (ids: readonly number[]) => void;
}

interface OrderBatchesOptions {
  /** Milliseconds after which an order that could not be processed is tried again; 300,000 if absent. */
  setAsideMs?: number | undefined;
  logger: Logger;
  /** Logged with an order that is set aside. */
  onSetAside: string;
}

/** Batches that shrink while one of their orders cannot be processed, until that one stands alone: it is set aside, and the others go on. */
export class OrderBatches {
  private limit = Infinity;
  /** Orders that could not be processed, each with when it is tried again. */
  private readonly setAside = new Map<number, number>();

  constructor(private readonly options: OrderBatchesOptions) {}

  /**
   * What `process` answers to a batch of `most` orders at most; null where one of them failed: the next batch is smaller, or without it.
   * Throws what no order is the cause of.
   */
  async run<Answer>(most: number, process: (batch: OrderBatch) => Promise<Answer>): Promise<Answer | null> {
    const { setAsideMs = SET_ASIDE_MS, logger, onSetAside } = this.options;
    let taken: readonly number[] = [];
    try {
      const answer = await process({
        limit: Math.min(this.limit, most),
        without: this.leftOut(),
        onTaken: (ids) => (taken = ids),
      });
      this.limit *= 2;
      return answer;
    } catch (error) {
      const [first] = taken;
      this.limit = Math.max(1, Math.floor(taken.length / 2));
      // Of the store, or not known: no order is the cause, and all of them wait.
      if (first === undefined || !isPermanent(error)) throw error;
      countFailure();
      if (taken.length === 1) {
        this.setAside.set(first, performance.now() + setAsideMs);
        logger.error({ err: error, order: first }, onSetAside);
      }
      return null;
    }
  }

  private leftOut(): number[] {
    for (const [id, until] of this.setAside) if (until <= performance.now()) this.setAside.delete(id);
    return [...this.setAside.keys()];
  }
}
