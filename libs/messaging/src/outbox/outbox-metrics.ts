import { type Logger, pause } from '@po/platform';
import type { Pool } from 'pg';
import { outboxAge, outboxParked, outboxPending } from '../metrics.js';

const OBSERVE_MS = 5_000;

/** Measures waiting rows until `signal` aborts. Runs apart from publishing, to report even while publishing fails or hangs. */
export async function observeOutbox(pool: () => Pool, logger: Logger, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await observeOnce(pool()).catch((error: unknown) =>
      logger.debug({ err: error }, 'the outbox metrics could not be read'),
    );
    await pause(OBSERVE_MS, signal);
  }
}

async function observeOnce(pool: Pool): Promise<void> {
  const { rows } = await pool.query<{ pending: string; parked: string; age: string | null }>(
    // Parked rows and the rows behind them wait for a manual repair: their age does not show whether other rows are published.
    `SELECT count(*) AS pending, count(parked_reason) AS parked,
            extract(epoch FROM clock_timestamp() - min(created_at) FILTER (
              WHERE key NOT IN (SELECT key FROM outbox WHERE parked_reason IS NOT NULL))) AS age FROM outbox`,
  );
  outboxPending.set(Number(rows[0]?.pending));
  outboxParked.set(Number(rows[0]?.parked));
  outboxAge.set(Number(rows[0]?.age ?? 0));
}
