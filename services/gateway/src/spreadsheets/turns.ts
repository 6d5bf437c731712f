/**
 * Pieces of work, one after the other. Before each the event loop goes round once: however many files are written and read at a time,
 * everybody else waits for one piece.
 */
export class Turns {
  private last: Promise<unknown> = Promise.resolve();

  /** What `work` answers or throws, once all that was asked for before is done. */
  take<T>(work: () => T | Promise<T>): Promise<T> {
    const taken = this.last.then(nextRound).then(work);
    this.last = taken.catch(() => undefined);
    return taken;
  }
}

const nextRound = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
