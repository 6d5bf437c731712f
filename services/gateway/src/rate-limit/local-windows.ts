import { LRUCache } from 'lru-cache';

/** What is asked of a window. */
export interface Taking {
  /** Requests that come in together. */
  requests: number;
  /** Of the window: what would make it more is not counted. */
  limit: number;
}

export interface Count {
  /** Requests in the window, these included; above the limit they were not counted. */
  count: number;
  /** Milliseconds until the window ends. */
  endsInMs: number;
}

const MAX_WINDOWS = 20_000;

/** Counts requests per key in fixed windows of this process; when there are too many, the one unused for longest is forgotten. */
export class LocalWindows {
  private readonly windows = new LRUCache<string, { count: number; endsAt: number }>({ max: MAX_WINDOWS });

  constructor(private readonly windowMs: number) {}

  /** `now`: milliseconds of a clock that is never put back. */
  take(key: string, { requests, limit }: Taking, now: number): Count {
    let window = this.windows.get(key);
    if (!window || window.endsAt <= now) {
      window = { count: 0, endsAt: now + this.windowMs };
      this.windows.set(key, window);
    }
    const count = window.count + requests;
    if (count <= limit) window.count = count;
    return { count, endsInMs: window.endsAt - now };
  }
}
