import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';

/** A session that another one waits for, as far as a role may see it that is no administrator. */
export interface Blocker {
  pid: number;
  application: string;
  role: string;
}

const EVERY_MS = 250;
const BLOCKERS = `SELECT pid, application_name AS application, usename AS role
                    FROM pg_stat_activity WHERE pid = ANY (pg_blocking_pids($1)) ORDER BY pid`;

/**
 * Tells whom a session waits for, each time that changes, until `signal` aborts. Rejects when PostgreSQL does not answer `observer`
 * any more.
 */
export async function watchLocks(
  observer: Client,
  pid: number,
  onWait: (blockers: Blocker[]) => void,
  signal: AbortSignal,
): Promise<void> {
  let told = '';
  while (!signal.aborted) {
    const { rows } = await observer.query<Blocker>(BLOCKERS, [pid]);
    const seen = rows.map((row) => row.pid).join();
    if (rows.length > 0 && seen !== told) onWait(rows);
    told = seen;
    await delay(EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}
