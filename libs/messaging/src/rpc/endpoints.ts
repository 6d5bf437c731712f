/** Time that an ejected endpoint is skipped. It doubles each time the endpoint is ejected again without having answered. */
const EJECTION_MS = { first: 2_000, last: 16_000 };

interface Endpoint {
  answeredAt: number;
  ejectedUntil: number;
  ejections: number;
}

interface Choice {
  except?: readonly number[];
  isOpen?: (endpoint: number) => boolean;
}

/**
 * Interchangeable routes: the partitions of a request topic, or the reply partitions of this process. An endpoint that stops answering is
 * skipped with back-off (outlier ejection), whether its broker, its reader or the network is the cause. A false alarm is harmless.
 */
export class Endpoints {
  private readonly endpoints: Endpoint[];

  constructor(count: number) {
    this.endpoints = Array.from({ length: count }, () => ({
      answeredAt: -Infinity,
      ejectedUntil: -Infinity,
      ejections: 0,
    }));
  }

  /**
   * The preferred endpoint, or the next one that is open, not ejected and not in `except`. If there is none, the first one after `except`,
   * regardless of its state. `isOpen` is false for endpoints that are known to be unreachable.
   */
  pick(preferred: number, { except = [], isOpen = () => true }: Choice = {}): number {
    const now = performance.now();
    const { length } = this.endpoints;
    for (let step = 0; step < length; step += 1) {
      const endpoint = (preferred + step) % length;
      if (!except.includes(endpoint) && this.at(endpoint).ejectedUntil <= now && isOpen(endpoint)) return endpoint;
    }
    return except.includes(preferred) ? (preferred + except.length) % length : preferred;
  }

  answered(endpoint: number): void {
    Object.assign(this.at(endpoint), { answeredAt: performance.now(), ejectedUntil: -Infinity, ejections: 0 });
  }

  /** `since`: a time of `performance.now()`. */
  hasAnsweredSince(endpoint: number, since: number): boolean {
    return this.at(endpoint).answeredAt >= since;
  }

  /** True if any endpoint has answered since. */
  anyAnsweredSince(since: number): boolean {
    return this.endpoints.some(({ answeredAt }) => answeredAt >= since);
  }

  /** True if fewer than half of the endpoints are ejected: the rest must not be overloaded. */
  get canSpareOne(): boolean {
    const now = performance.now();
    return 2 * this.endpoints.filter(({ ejectedUntil }) => ejectedUntil > now).length < this.endpoints.length;
  }

  eject(endpoint: number): void {
    const ejected = this.at(endpoint);
    const now = performance.now();
    if (ejected.ejectedUntil > now) return;
    ejected.ejectedUntil = now + Math.min(EJECTION_MS.first * 2 ** ejected.ejections, EJECTION_MS.last);
    ejected.ejections += 1;
  }

  private at(endpoint: number): Endpoint {
    const found = this.endpoints[endpoint];
    if (!found) throw new RangeError(`endpoint ${endpoint} does not exist; there are ${this.endpoints.length}`);
    return found;
  }
}
