import type { RpcEnvelope } from './rpc-headers.js';
import { unavailable } from './unavailable.js';

/**
 * Bytes of large answers in hand together, one of the largest: one thread serializes them, so that more at a time would all be late.
 * Memory holds them about four times: as rows, as text, and while they are packed.
 */
const MAX_BYTES = 12 * 1024 * 1024;
/** Each keeps a request in hand that others may want to be. */
const MOST_WAITING = 16;

interface Waiting {
  bytes: number;
  begin: () => void;
}

/** Memory for large answers, from before they are read until they are sent: those for which there is none wait for it, in order. */
export class AnswerMemory {
  private taken = 0;
  private readonly waiting: Waiting[] = [];

  /**
   * Resolves with what gives the bytes back. Rejects with UNAVAILABLE when too many wait, or at half of the time until the deadline: the
   * other half is for the answer. One that was sent again does not wait: while the first one does, its caller takes no refusal.
   */
  take(wanted: number, { deadline, isResent }: Pick<RpcEnvelope, 'deadline' | 'isResent'>): Promise<() => void> {
    const bytes = Math.min(wanted, MAX_BYTES);
    if (this.waiting.length === 0 && this.fits(bytes)) return Promise.resolve(this.taking(bytes));
    if (isResent || this.waiting.length >= MOST_WAITING) return Promise.reject(unavailable());
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const waiting: Waiting = {
      bytes,
      begin: () => {
        clearTimeout(patience);
        resolve(this.taking(bytes));
      },
    };
    const giveUp = () => {
      this.waiting.splice(this.waiting.indexOf(waiting), 1);
      reject(unavailable());
      // A smaller one behind it may fit.
      this.beginNext();
    };
    const patience = setTimeout(giveUp, Math.max(0, (deadline - Date.now()) / 2));
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
