import { SerialQueue } from './serial-queue.js';

/** Limit of the pause: a page that takes a slow service longer delays the next one no more than this. */
const MAX_PAUSE_MS = 250;

/**
 * Fetches pages of exports one at a time, and pauses after each for as long as it took. All exports together thus use at most half of what
 * one caller with sequential requests uses, so that other users notice little of them.
 */
export class ExportPace {
  private readonly queue = new SerialQueue();

  /** Resolves or rejects as `fetchPage` does, after the pages requested before. */
  run<Page>(fetchPage: () => Promise<Page>): Promise<Page> {
    let tookMs = 0;
    const page = this.queue.run(async () => {
      const startedAt = performance.now();
      return fetchPage().finally(() => (tookMs = performance.now() - startedAt));
    });
    void this.queue.run(() => new Promise((resolve) => setTimeout(resolve, Math.min(tookMs, MAX_PAUSE_MS)).unref()));
    return page;
  }
}
