import type { Logger } from '@po/platform';
import pg, { type PoolClient } from 'pg';
import { PreparingClient } from './preparing-client.js';

const READ_ONLY = '25006';

/** Whether the error shows that the server of this connection must not be used any more: it is read-only, or does not answer. */
export const leadsAstray = (error: unknown): boolean =>
  error instanceof Error && (isTimeout(error) || isReadOnly(error));

// Only the message distinguishes this error of pg from others.
const isTimeout = ({ message }: Error): boolean => message === 'Query read timeout';

const isReadOnly = (error: Error): boolean => 'code' in error && error.code === READ_ONLY;

/**
 * Closes a pool's other connections to a server that one of them was given up for: each of them would fail a statement of its own
 * before it is replaced, and a server that vanished would take `answerWithinMs` for each.
 */
export function leaveLostServers(pool: pg.Pool, answerWithinMs: number, logger: Logger): void {
  /** Milliseconds at which PostgreSQL was last heard of on each connection, as far as is known here. */
  const heardAt = new Map<PoolClient, number>();
  const idle = new Set<PoolClient>();
  /** In use now, and not to be used again. */
  const doomed = new WeakSet<PoolClient>();

  const leave = (before: number) => {
    for (const [client, at] of heardAt) {
      if (at >= before) continue;
      if (!idle.has(client)) doomed.add(client);
      else if (client instanceof PreparingClient) client.abandon('its server is not to be used any more');
    }
  };
  pool.on('connect', (client) => heardAt.set(client, performance.now()));
  pool.on('acquire', (client) => idle.delete(client));
  pool.on('remove', (client) => {
    idle.delete(client);
    heardAt.delete(client);
  });
  pool.on('release', (error, client) => {
    const now = performance.now();
    if (leadsAstray(error)) {
      heardAt.delete(client);
      logger.warn({ err: error }, 'closing the connections to a database that no longer answers');
      // On a server that answers, but refuses, no connection is good. One that is silent may have lost this connection alone: those
      // stay that answered in the later half of the wait. In the earlier half they may have answered just before it vanished.
      leave(isTimeout(error) ? now - answerWithinMs / 2 : now);
    } else if (doomed.has(client)) {
      // The pool drops what is ending.
      void client.end();
    } else if (!error) {
      heardAt.set(client, now);
      idle.add(client);
    }
  });
}
