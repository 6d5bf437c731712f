import { setTimeout as delay } from 'node:timers/promises';
import { SerialQueue } from './serial-queue.js';

/** A page that takes a slow service longer holds up the next one for no longer than this. */
const MAX_REST_MS = 250;

/**
 * Fetches pages of exports one at a time, and rests after each for as long as it took: all exports together use at most half of what one
 * caller uses who asks for one thing after another, so that other users notice little of them.
 */
export class ExportPace {
  private readonly queue = new SerialQueue();

  /** Resolves or rejects as `fetchPage` does, after the pages that were asked for before. */
  run<Page>(fetchPage: () => Promise<Page>): Promise<Page> {
    let tookMs = 0;
    const page = this.queue.run(async () => {
      const startedAt = performance.now();
      return fetchPage().finally(() => (tookMs = performance.now() - startedAt));
    });
    void this.queue.run(() => delay(Math.min(tookMs, MAX_REST_MS), undefined, { ref: false }));
    return page;
  }
}
