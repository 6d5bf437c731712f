/** What is doubted once is avoided for so long, and for twice as long each time it is doubted again without having answered. */
const DOUBT_MS = { first: 2_000, last: 16_000 };

interface Way {
  answeredAt: number;
  doubtedUntil: number;
  doubts: number;
}

interface Choice {
  not?: readonly number[];
  isOpen?: (way: number) => boolean;
}

/**
 * Ways that lead to the same: partitions of a topic of requests, or slots for their answers. One that does not answer is avoided for a
 * while, whatever it is that does not: the broker that leads it, the replica that reads it, or the way between. What is doubted in
 * vain costs nothing, because the others do as well.
 */
export class Ways {
  private readonly ways: Way[];

  constructor(count: number) {
    this.ways = Array.from({ length: count }, () => ({ answeredAt: -Infinity, doubtedUntil: -Infinity, doubts: 0 }));
  }

  /**
   * The preferred one, or the next that is open, not doubted and none of `not`; if there is none, one whatever is known of it. `isOpen`
   * says of which it is not known already that they lead nowhere.
   */
  choose(preferred: number, { not = [], isOpen = () => true }: Choice = {}): number {
    const now = performance.now();
    const { length } = this.ways;
    for (let step = 0; step < length; step += 1) {
      const way = (preferred + step) % length;
      if (!not.includes(way) && this.at(way).doubtedUntil <= now && isOpen(way)) return way;
    }
    return not.includes(preferred) ? (preferred + not.length) % length : preferred;
  }

  answered(way: number): void {
    Object.assign(this.at(way), { answeredAt: performance.now(), doubtedUntil: -Infinity, doubts: 0 });
  }

  /** True when something came this way at that time or later. */
  hasAnsweredSince(way: number, since: number): boolean {
    return this.at(way).answeredAt >= since;
  }

  doubt(way: number): void {
    const doubted = this.at(way);
    const now = performance.now();
    if (doubted.doubtedUntil > now) return;
    doubted.doubtedUntil = now + Math.min(DOUBT_MS.first * 2 ** doubted.doubts, DOUBT_MS.last);
    doubted.doubts += 1;
  }

  private at(way: number): Way {
    const found = this.ways[way];
    if (!found) throw new RangeError(`there is no way ${way}; there are ${this.ways.length}`);
    return found;
  }
}
