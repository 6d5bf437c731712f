/**
 * Runs tasks one after another, each in a new turn of the event loop. However many files are read and written at the same time, any other
 * request waits for one task at most.
 */
export class SerialQueue {
  private last: Promise<unknown> = Promise.resolve();

  /** Resolves or rejects as `work` does, after all tasks queued before. */
  run<T>(work: () => T | Promise<T>): Promise<T> {
    const running = this.last.then(nextTurn).then(work);
    this.last = running.catch(() => undefined);
    return running;
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
