import { setTimeout as delay } from 'node:timers/promises';
import { type Logger, shouldLog, backOffMs } from '@po/platform';
import pg from 'pg';

const RETRY = { initialMs: 250, maxMs: 5_000 };
const NETWORK = ['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'];
/** SQLSTATEs: connection exceptions except a protocol violation (PgBouncer), too many connections, server starting or stopping. */
const UNAVAILABLE = /^(08(?!P01)...|53300|57P0[123])$/;

/**
 * Opens the connection of a job, which may start before PostgreSQL. Retries for `ms` while the server is unavailable. Rejects at once if
 * the login is refused.
 */
export async function connectWithin(ms: number, config: pg.ClientConfig, logger: Logger): Promise<pg.Client> {
  const end = performance.now() + ms;
  for (let failures = 1; ; failures += 1) {
    const client = new pg.Client(config);
    // The next statement on a broken connection rejects anyway; without a listener this event would end the process.
    client.on('error', () => undefined);
    try {
      await client.connect();
      return client;
    } catch (error) {
      await client.end().catch(() => undefined);
      if (!isUnavailable(error) || performance.now() >= end) throw error;
      if (shouldLog(failures)) logger.warn({ err: error, failures }, 'PostgreSQL is not available; trying again');
      await delay(backOffMs(failures, RETRY));
    }
  }
}

function isUnavailable(error: unknown): boolean {
  const { code, message } = error as { code?: string; message: string };
  // pg gives no code for a connection that took too long or was closed.
  if (code === undefined) return /timeout|terminated/.test(message);
  return NETWORK.includes(code) || UNAVAILABLE.test(code);
}
