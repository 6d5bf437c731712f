import { ProblemError } from '@po/contracts';
import { unavailable } from '@po/messaging';
import { admissionsRefused } from './metrics.js';

/** Limits on waiting files, in total and per user. */
const MAX_WAITING = 32;
const MAX_PER_USER = 4;

interface Waiting {
  userId: string;
  begin: () => void;
}

/**
 * Reads one file at a time, because a workbook is in memory with all its texts. A file whose client disconnects leaves the queue at once
 * and is not read. A small file takes no upload lease, so the queue itself bounds how many wait. Users take turns: a file waits for at most
 * one file of each other user.
 */
export class FileQueue {
  private readonly waiting = new Set<Waiting>();
  private isReading = false;

  /**
   * Runs `read` when the file's turn comes and returns its result. Throws TOO_MANY_UPLOADS when too many files of the user wait,
   * UNAVAILABLE when too many of all users do, BAD_REQUEST once the client has disconnected.
   */
  async read<T>(userId: string, gone: AbortSignal, read: () => Promise<T> | T): Promise<T> {
    if (this.isReading) await this.turn(userId, gone);
    this.isReading = true;
    try {
      throwIfDisconnected(gone);
      return await read();
    } finally {
      this.isReading = false;
      for (const own of this.waitingOf(userId)) {
        this.waiting.delete(own);
        this.waiting.add(own);
      }
      const [next] = this.waiting;
      next?.begin();
    }
  }

  private turn(userId: string, gone: AbortSignal): Promise<void> {
    throwIfDisconnected(gone);
    this.refuseTooMany(userId);
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.waiting.delete(entry);
        reject(new ProblemError('BAD_REQUEST'));
      };
      const entry = {
        userId,
        begin: () => {
          gone.removeEventListener('abort', leave);
          this.waiting.delete(entry);
          // Set before the promise continues, so that a file that arrives in between has to wait.
          this.isReading = true;
          resolve();
        },
      };
      this.waiting.add(entry);
      gone.addEventListener('abort', leave, { once: true });
    });
  }

  private waitingOf(userId: string): Waiting[] {
    return [...this.waiting].filter((each) => each.userId === userId);
  }

  private refuseTooMany(userId: string): void {
    if (this.waitingOf(userId).length >= MAX_PER_USER) {
      admissionsRefused.inc({ kind: 'file', limit: 'user' });
      const limit = MAX_PER_USER + 1;
      throw new ProblemError('TOO_MANY_UPLOADS', {}, { headers: { 'retry-after': '2' }, hidden: { limit } });
    }
    if (this.waiting.size >= MAX_WAITING) {
      admissionsRefused.inc({ kind: 'file', limit: 'gateway' });
      throw unavailable();
    }
  }
}

function throwIfDisconnected(gone: AbortSignal): void {
  if (gone.aborted) throw new ProblemError('BAD_REQUEST');
}
