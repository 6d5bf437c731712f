import { LRUCache } from 'lru-cache';

export interface Count {
  /** Requests in the window, this one included. */
  count: number;
  /** Milliseconds until the window ends. */
  endsInMs: number;
}

const MAX_WINDOWS = 20_000;

/** Counts requests per key in fixed windows of this process; when there are too many, the one unused for longest is forgotten. */
export class LocalWindows {
  private readonly windows = new LRUCache<string, { count: number; endsAt: number }>({ max: MAX_WINDOWS });

  constructor(private readonly windowMs: number) {}

  count(key: string, now: number): Count {
    let window = this.windows.get(key);
    if (!window || window.endsAt <= now) {
      window = { count: 0, endsAt: now + this.windowMs };
      this.windows.set(key, window);
    }
    window.count += 1;
    return { count: window.count, endsInMs: window.endsAt - now };
  }
}
