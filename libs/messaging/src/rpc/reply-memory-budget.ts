import type { RpcEnvelope } from './rpc-headers.js';
import { unavailable } from './unavailable.js';

/**
 * Bytes of all large replies in progress; the largest reply alone may take all of it. The replies are serialized on one thread, so more of
 * them at a time would all be late. Each is in memory about four times: as rows, as text, and while it is compressed.
 */
const MAX_BYTES = 12 * 1024 * 1024;
/** Each waiting reply occupies a handler slot that other requests may need. */
const MAX_WAITING = 16;
/** One user may have one reply in progress and one waiting, so that others wait for at most two. */
const MAX_WAITING_PER_USER = 1;

type Reserver = Pick<RpcEnvelope, 'deadline' | 'isResent'> & { userId: string };

interface Waiting {
  bytes: number;
  userId: string;
  begin: () => void;
}

/**
 * Memory for large replies, reserved from before they are read until they are sent; of diffs and previews, after their order is read. Replies
 * without free memory wait, in order.
 */
export class ReplyMemoryBudget {
  private taken = 0;
  private readonly waiting: Waiting[] = [];

  /**
   * Reserves bytes. Resolves with a function that frees them. Rejects with UNAVAILABLE if too many replies wait, of the user or of all
   * users, or after half of the time until the deadline: the other half is for the reply. A resent request does not wait: its caller
   * accepts no refusal while an earlier send waits.
   */
  reserve(wanted: number, { deadline, isResent, userId }: Reserver): Promise<() => void> {
    const bytes = Math.min(wanted, MAX_BYTES);
    if (this.waiting.length === 0 && this.fits(bytes)) return Promise.resolve(this.taking(bytes));
    const own = this.waiting.filter((other) => other.userId === userId).length;
    if (isResent || own >= MAX_WAITING_PER_USER || this.waiting.length >= MAX_WAITING)
      return Promise.reject(unavailable());
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const waiting: Waiting = {
      bytes,
      userId,
      begin: () => {
        clearTimeout(timeout);
        resolve(this.taking(bytes));
      },
    };
    const giveUp = () => {
      this.waiting.splice(this.waiting.indexOf(waiting), 1);
      reject(unavailable());
      // A smaller reply behind it may fit.
      this.beginNext();
    };
    const timeout = setTimeout(giveUp, Math.max(0, (deadline - Date.now()) / 2));
    this.waiting.push(waiting);
    return promise;
  }

  /** The memory of one reply. A retried handler reserves again, which frees its earlier reservation. */
  forReply(reserver: Reserver) {
    let free: () => void = () => undefined;
    const reserve = async (bytes: number) => {
      free();
      free = await this.reserve(bytes, reserver);
    };
    return { reserve, free: () => free() };
  }

  private fits(bytes: number): boolean {
    return this.taken + bytes <= MAX_BYTES;
  }

  private taking(bytes: number): () => void {
    this.taken += bytes;
    let left = bytes;
    return () => {
      this.taken -= left;
      left = 0;
      this.beginNext();
    };
  }

  private beginNext(): void {
    for (let next = this.waiting[0]; next && this.fits(next.bytes); next = this.waiting[0]) {
      this.waiting.shift();
      next.begin();
    }
  }
}
