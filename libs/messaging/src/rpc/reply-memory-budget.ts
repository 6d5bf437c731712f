import type { RpcEnvelope } from './rpc-headers.js';
import { unavailable } from './unavailable.js';

/**
 * Limit of all large answers in progress, the size of one largest answer. One thread serializes them, so that more at a time would all
 * be late. Memory holds them about four times: as rows, as text, and while they are packed.
 */
const MAX_BYTES = 12 * 1024 * 1024;
/** Each waiting answer occupies a handler slot that other requests may need. */
const MAX_WAITING = 16;
/** Nobody waits for more than two largest answers of one user: one in progress and one waiting. */
const MAX_WAITING_PER_USER = 1;

type Reserver = Pick<RpcEnvelope, 'deadline' | 'isResent'> & { userId: string };

interface Waiting {
  bytes: number;
  userId: string;
  begin: () => void;
}

/** Memory for large answers, reserved from before they are read until they are sent. Answers without free memory wait, in order. */
export class ReplyMemoryBudget {
  private taken = 0;
  private readonly waiting: Waiting[] = [];

  /**
   * Reserves bytes. Resolves with a function that frees them. Rejects with UNAVAILABLE if too many answers wait, of the user or of all
   * users, or after half of the time until the deadline: the other half is for the answer. A resent request does not wait: its caller
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
      // A smaller answer behind it may fit.
      this.beginNext();
    };
    const timeout = setTimeout(giveUp, Math.max(0, (deadline - Date.now()) / 2));
    this.waiting.push(waiting);
    return promise;
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
