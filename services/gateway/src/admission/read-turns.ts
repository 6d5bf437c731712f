import type { Socket } from 'node:net';
import { unavailable } from '@po/messaging';
import pLimit, { type LimitFunction } from 'p-limit';

/** Reads of a user that services are asked for at a time: more than a page or a program with a pool of connections makes. */
const AT_A_TIME = 64;
const MAX_WAIT_MS = 10_000;

/**
 * What a user reads at once waits here, for itself alone: services answer in the order asked, so there it would make everybody's reads late.
 */
export class ReadTurns {
  private readonly users = new Map<string, LimitFunction>();

  /** Resolves or rejects as `read` does. Throws UNAVAILABLE when its turn does not come in time, or its client is gone by then. */
  async run<T>(userId: string, client: Socket, read: () => Promise<T>): Promise<T> {
    const since = performance.now();
    const turns = this.users.get(userId) ?? pLimit(AT_A_TIME);
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
