import type { Socket } from 'node:net';
import { unavailable } from '@po/messaging';
import pLimit, { type LimitFunction } from 'p-limit';

/**
 * Concurrent reads of a user at the services. A user whose reads are fast may have as many as a program with a large connection pool; one
 * whose reads are slow has fewer than the order service has database connections, which leaves some to others.
 */
const CONCURRENCY = { first: 16, min: 8, max: 64 };
/** Milliseconds that the concurrent reads of a user may take together on average: 64 reads of 25 ms, or 8 of 200 ms. */
const TOGETHER_MS = 1_600;
/** Weight of a new read in the average duration of a user's reads. */
const WEIGHT = 0.2;
const MAX_WAIT_MS = 10_000;

interface User {
  turns: LimitFunction;
  averageMs: number;
}

/**
 * Queues the concurrent reads of a user here, where they delay only each other. Services answer in order of arrival, so a queue there would
 * delay the reads of all users.
 */
export class ReadLimiter {
  private readonly users = new Map<string, User>();

  /**
   * Resolves or rejects as `read` does. Throws UNAVAILABLE if its turn does not come in time or the client has disconnected by then.
   * `enqueue` may make a read whose turn has come wait for other users, too: that is not counted as slowness of this user.
   */
  async run<T>(
    userId: string,
    client: Socket,
    read: () => Promise<T>,
    enqueue = (send: () => Promise<T>): Promise<T> => send(),
  ): Promise<T> {
    const since = performance.now();
    const user = this.users.get(userId) ?? {
      turns: pLimit(CONCURRENCY.first),
      averageMs: TOGETHER_MS / CONCURRENCY.first,
    };
    this.users.set(userId, user);
    const { turns } = user;
    try {
      return await turns(async () => {
        if (client.destroyed || performance.now() - since > MAX_WAIT_MS) throw unavailable(1);
        return await enqueue(() => {
          const startedAt = performance.now();
          return read().finally(() => adapt(user, performance.now() - startedAt));
        });
      });
    } finally {
      if (turns.activeCount + turns.pendingCount === 0) this.users.delete(userId);
    }
  }
}

function adapt(user: User, ms: number): void {
  user.averageMs += WEIGHT * (ms - user.averageMs);
  const { min, max } = CONCURRENCY;
  user.turns.concurrency = Math.max(min, Math.min(max, Math.round(TOGETHER_MS / user.averageMs)));
}
