import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from 'pg';

/** A session that holds a lock for which another session waits, as visible to a role without administrator rights. */
export interface Blocker {
  pid: number;
  application: string;
  role: string;
}

const EVERY_MS = 250;
const BLOCKERS = `SELECT pid, application_name AS application, usename AS role
                    FROM pg_stat_activity WHERE pid = ANY (pg_blocking_pids($1)) ORDER BY pid`;

/**
 * Calls `onWait` with the sessions that block session `pid` each time they change, until `signal` aborts. Rejects if PostgreSQL no longer
 * answers `observer`.
 */
export async function watchLocks(
  observer: Client,
  pid: number,
  onWait: (blockers: Blocker[]) => void,
  signal: AbortSignal,
): Promise<void> {
  let reported = '';
  while (!signal.aborted) {
    const { rows } = await observer.query<Blocker>(BLOCKERS, [pid]);
    const seen = rows.map((row) => row.pid).join();
    if (rows.length > 0 && seen !== reported) onWait(rows);
    reported = seen;
    await delay(EVERY_MS, undefined, { signal }).catch(() => undefined);
  }
}
