import type { Logger } from '@po/platform';
import pg, { type PoolClient } from 'pg';
import { PreparingClient } from './preparing-client.js';

const READ_ONLY = '25006';

/** Whether the error shows that this connection's server must no longer be used: it is read-only or does not answer. */
export const isServerLost = (error: unknown): boolean =>
  error instanceof Error && (isTimeout(error) || isReadOnly(error));

// Only the message distinguishes this error of pg from others.
const isTimeout = ({ message }: Error): boolean => message === 'Query read timeout';

const isReadOnly = (error: Error): boolean => 'code' in error && error.code === READ_ONLY;

/**
 * Once one connection is given up, closes the pool's other connections to that server. Otherwise each of them would fail one statement
 * before it is replaced, and with a vanished server each failure would take `responseTimeoutMs`.
 */
export function abandonLostServers(pool: pg.Pool, responseTimeoutMs: number, logger: Logger): void {
  /** Time in milliseconds of the last known answer of PostgreSQL on each connection. */
  const lastResponseAt = new Map<PoolClient, number>();
  const idle = new Set<PoolClient>();
  /** Connections that are in use and will be closed on release. */
  const closeOnRelease = new WeakSet<PoolClient>();

  const abandonSilentSince = (before: number) => {
    for (const [client, at] of lastResponseAt) {
      if (at >= before) continue;
      if (!idle.has(client)) closeOnRelease.add(client);
      else if (client instanceof PreparingClient)
        client.abandon('the server of this connection must no longer be used');
    }
  };
  pool.on('connect', (client) => lastResponseAt.set(client, performance.now()));
  pool.on('acquire', (client) => idle.delete(client));
  pool.on('remove', (client) => {
    idle.delete(client);
    lastResponseAt.delete(client);
  });
  pool.on('release', (error, client) => {
    const now = performance.now();
    if (isServerLost(error)) {
      lastResponseAt.delete(client);
      logger.warn({ err: error }, 'closing the connections to a database that no longer answers');
      // If the server answers but is read-only, no connection is usable. If it is silent, it may have lost only this connection, so those
      // that answered in the second half of the wait stay. Answers in the first half may date from just before the server vanished.
      abandonSilentSince(isTimeout(error) ? now - responseTimeoutMs / 2 : now);
    } else if (closeOnRelease.has(client)) {
      // The pool drops ending connections.
      void client.end();
    } else if (!error) {
      lastResponseAt.set(client, now);
      idle.add(client);
    }
  });
}
