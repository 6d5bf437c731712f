import { LRUCache } from 'lru-cache';

/** Requests to count in a window. */
export interface RequestCost {
  /** Number of requests that come together. */
  requests: number;
  /** Limit of the window: requests that would exceed it are not counted. */
  limit: number;
}

export interface Count {
  /** Requests in the window, including these; above the limit these were not counted. */
  count: number;
  /** Milliseconds until the window ends. */
  endsInMs: number;
}

const MAX_WINDOWS = 20_000;

/** Counts requests per key in fixed windows of this process. Above the maximum number of windows the least recently used one is dropped. */
export class LocalWindows {
  private readonly windows = new LRUCache<string, { count: number; endsAt: number }>({ max: MAX_WINDOWS });

  constructor(private readonly windowMs: number) {}

  /** `now`: milliseconds of a monotonic clock. */
  take(key: string, { requests, limit }: RequestCost, now: number): Count {
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
