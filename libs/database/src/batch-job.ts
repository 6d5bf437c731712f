import { type Logger, pause, backOffMs } from '@po/platform';
import { Counter, Gauge } from 'prom-client';
import type { Send, Statement } from './database.js';

export interface Batch {
  /** Number of rows. */
  done: number;
  /** Whether another batch may find rows; false ends the round. */
  more: boolean;
}

interface BatchJobOptions {
  /** The label of the metrics, which is called `purge`, as most jobs are. */
  name: string;
  /** Milliseconds between two rounds. */
  everyMs: number;
  /** Deletes or changes at most `rows` rows in one short transaction. Other replicas may run theirs at the same time. */
  batch: (rows: number) => Promise<Batch>;
  logger: Logger;
  /** Milliseconds: longest delay of the first round, shortest pause between two batches, and duration above which a batch is too large. */
  firstMs?: number;
  pauseMs?: number;
  longMs?: number;
}

const MAX_ROWS = 500;
const FIRST_MS = 60_000;
const PAUSE_MS = 100;
/** Short, because a statement that needs a row of the batch waits for the whole batch. */
const LONG_MS = 250;
const RETRY = { initialMs: 1_000, maxMs: 60_000 };

const doneRows = new Counter({
  name: 'purge_rows_total',
  help: 'Rows that a batch job deleted because their retention is over, or recomputed',
  labelNames: ['purge'],
});
const failedBatches = new Counter({
  name: 'purge_failures_total',
  help: 'Batches that failed',
  labelNames: ['purge'],
});
const running = new Set<BatchJob>();
new Gauge({
  name: 'purge_behind_seconds',
  help: 'Seconds since this process last found nothing left to do',
  labelNames: ['purge'],
  collect() {
    this.reset();
    for (const job of running) this.set({ purge: job.name }, job.behindSeconds);
  },
});

/**
 * Works through rows in the background of the service, at low load: in small batches, which shrink when they are slow or fail, and during
 * at most half of the time. Replicas start at random, different times.
 */
export class BatchJob {
  readonly name: string;
  private readonly stopped = new AbortController();
  private ended: Promise<void> = Promise.resolve();
  private doneAt = performance.now();
  private rows = MAX_ROWS;

  constructor(private readonly options: BatchJobOptions) {
    this.name = options.name;
  }

  /** Longest time that a row may have waited. */
  get behindSeconds(): number {
    return (performance.now() - this.doneAt) / 1_000;
  }

  start(): void {
    this.doneAt = performance.now();
    running.add(this);
    failedBatches.inc({ purge: this.name }, 0);
    this.ended = this.run();
  }

  /** Resolves when the batch in flight is done. */
  async stop(): Promise<void> {
    this.stopped.abort();
    await this.ended;
    running.delete(this);
  }

  private async run(): Promise<void> {
    const { name, everyMs, logger, firstMs = FIRST_MS } = this.options;
    await pause(Math.random() * firstMs, this.stopped.signal);
    for (let failures = 0; !this.stopped.signal.aborted;) {
      try {
        const done = await this.runRound();
        failures = 0;
        logger.debug({ purge: name, done }, 'a batch job has nothing left to do');
        await pause(everyMs, this.stopped.signal);
      } catch (error) {
        failures += 1;
        failedBatches.inc({ purge: name });
        this.rows = smaller(this.rows);
        logger.warn({ err: error, purge: name, failures }, 'a batch job failed; trying again');
        await pause(Math.min(everyMs, backOffMs(failures, RETRY)), this.stopped.signal);
      }
    }
  }

  private async runRound(): Promise<number> {
    const { batch, pauseMs = PAUSE_MS, longMs = LONG_MS } = this.options;
    let total = 0;
    while (!this.stopped.signal.aborted) {
      const startedAt = performance.now();
      const { done, more } = await batch(this.rows);
      total += done;
      doneRows.inc({ purge: this.name }, done);
      if (!more) {
        this.doneAt = performance.now();
        break;
      }
      const tookMs = performance.now() - startedAt;
      this.rows = tookMs > longMs ? smaller(this.rows) : Math.min(this.rows * 2, MAX_ROWS);
      await pause(Math.max(tookMs, pauseMs), this.stopped.signal);
    }
    return total;
  }
}

// At the same size, a batch that exceeds the statement timeout would fail forever.
const smaller = (rows: number): number => Math.max(1, Math.floor(rows / 2));

/** A statement for `deleteBatch`. `sql` is a DELETE. */
export const deletion = (name: string, sql: string): Statement => ({
  name,
  text: `WITH gone AS (${sql} RETURNING 1) SELECT count(*)::int AS deleted FROM gone`,
});

/** Deletes at most `rows` rows. Fewer end the round: others that expire or are unlocked in the meantime can wait for the next one. */
export async function deleteBatch(send: Send, statement: Statement, rows: number, values: unknown[]): Promise<Batch> {
  const [row] = await send<{ deleted: number }>(statement, values);
  const done = row?.deleted ?? 0;
  return { done, more: done === rows };
}
