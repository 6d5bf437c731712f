import type { Socket } from 'node:net';
import { unavailable } from '@po/messaging';
import pLimit, { type LimitFunction } from 'p-limit';

/** Concurrent reads of a user at the services: more than a page, or a program with a connection pool, makes. */
const CONCURRENCY = 64;
const MAX_WAIT_MS = 10_000;

/**
 * Queues the concurrent reads of a user here, where they delay only each other. Services answer in order of arrival, so a queue there would
 * delay the reads of all users.
 */
export class ReadLimiter {
  private readonly users = new Map<string, LimitFunction>();

  /** Resolves or rejects as `read` does. Throws UNAVAILABLE if its turn does not come in time or the client has disconnected by then. */
  async run<T>(userId: string, client: Socket, read: () => Promise<T>): Promise<T> {
    const since = performance.now();
    const turns = this.users.get(userId) ?? pLimit(CONCURRENCY);
    this.users.set(userId, turns);
    try {
      return await turns(() => {
        if (client.destroyed || performance.now() - since > MAX_WAIT_MS) throw unavailable(1);
        return read();
      });
    } finally {
      if (turns.activeCount + turns.pendingCount === 0) this.users.delete(userId);
    }
  }
}
