import { setTimeout as delay } from 'node:timers/promises';
import { type Logger, isWorthALine, pauseOf } from '@po/platform';
import pg from 'pg';

const PACE = { firstMs: 250, lastMs: 5_000 };
const NETWORK = ['ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'];
/** SQLSTATE: connection exceptions but for a refused protocol (PgBouncer), too many connections, a server that starts or stops. */
const UNAVAILABLE = /^(08(?!P01)...|53300|57P0[123])$/;

/**
 * A connection of a job, which may begin before PostgreSQL does. Waits for a server that is not there; rejects at once when it refuses
 * the login.
 */
export async function connectWithin(ms: number, config: pg.ClientConfig, logger: Logger): Promise<pg.Client> {
  const end = performance.now() + ms;
  for (let failures = 1; ; failures += 1) {
    const client = new pg.Client(config);
    // The next statement rejects after a broken connection; without a listener the event would end the process.
    client.on('error', () => undefined);
    try {
      await client.connect();
      return client;
    } catch (error) {
      await client.end().catch(() => undefined);
      if (!isUnavailable(error) || performance.now() >= end) throw error;
      if (isWorthALine(failures)) logger.warn({ err: error, failures }, 'PostgreSQL is not available; trying again');
      await delay(pauseOf(failures, PACE));
    }
  }
}

/** Without a code: the messages of pg for a connection that took too long or was closed. */
function isUnavailable(error: unknown): boolean {
  const { code, message } = error as { code?: string; message: string };
  if (code === undefined) return /timeout|terminated/.test(message);
  return NETWORK.includes(code) || UNAVAILABLE.test(code);
}
