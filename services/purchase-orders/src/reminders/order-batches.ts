import { type Logger, isPermanent } from '@po/platform';
import { Counter } from 'prom-client';

const SET_ASIDE_MS = 300_000;

const failures = new Counter({ name: 'reminders_failures_total', help: 'Batches of reminders that failed' });
export const countFailure = (): void => failures.inc();

/** The batch of one transaction. */
export interface OrderBatch {
  /** Maximum number of orders. */
  limit: number;
  /** Ids of orders to skip. */
  without: readonly number[];
  /** Called with the ids of the orders before anything is written. */
  onTaken: (ids: readonly number[]) => void;
}

interface OrderBatchesOptions {
  /** Milliseconds before a failed order is retried; 300,000 if absent. */
  setAsideMs?: number | undefined;
  logger: Logger;
  /** Log message for an order that is set aside. */
  onSetAside: string;
}

/** After a failure, the next batch is smaller. An order that fails alone is set aside, and the other orders are processed. */
export class OrderBatches {
  private limit = Infinity;
  /** Retry times of failed orders, by order id. */
  private readonly setAside = new Map<number, number>();

  constructor(private readonly options: OrderBatchesOptions) {}

  /**
   * Returns the result of `process` for a batch of at most `max` orders; null if an order failed, so that the next batch is smaller or
   * skips the order. Rethrows errors that no order caused.
   */
  async run<Answer>(max: number, process: (batch: OrderBatch) => Promise<Answer>): Promise<Answer | null> {
    const { setAsideMs = SET_ASIDE_MS, logger, onSetAside } = this.options;
    let taken: readonly number[] = [];
    try {
      const answer = await process({
        limit: Math.min(this.limit, max),
        without: this.leftOut(),
        onTaken: (ids) => (taken = ids),
      });
      this.limit *= 2;
      return answer;
    } catch (error) {
      const [first] = taken;
      this.limit = Math.max(1, Math.floor(taken.length / 2));
      // The database failed, or the cause is unknown: no order is to blame, and all orders wait.
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
