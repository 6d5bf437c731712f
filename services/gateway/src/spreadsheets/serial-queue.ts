/**
 * Runs pieces of work one after another, each in a new turn of the event loop: however many files are read and written at a time, every other
 * request waits for one piece at most.
 */
export class SerialQueue {
  private last: Promise<unknown> = Promise.resolve();

  /** Resolves or rejects as `work` does, after everything that was queued before. */
  run<T>(work: () => T | Promise<T>): Promise<T> {
    const running = this.last.then(nextTurn).then(work);
    this.last = running.catch(() => undefined);
    return running;
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
