export interface Count {
  /** Requests in the window, this one included. */
  count: number;
  /** Milliseconds until the window ends. */
  endsInMs: number;
}

const MAX_WINDOWS = 20_000;

/** Counts requests per key in fixed windows of this process; the oldest windows are forgotten when there are too many. */
export class LocalWindows {
  private readonly windows = new Map<string, { count: number; endsAt: number }>();

  constructor(private readonly windowMs: number) {}

  count(key: string, now: number): Count {
    let window = this.windows.get(key);
    if (!window || window.endsAt <= now) {
      this.windows.delete(key);
      if (this.windows.size >= MAX_WINDOWS) this.windows.delete(this.windows.keys().next().value as string);
      window = { count: 0, endsAt: now + this.windowMs };
      this.windows.set(key, window);
    }
    window.count += 1;
    return { count: window.count, endsInMs: window.endsAt - now };
  }
}
