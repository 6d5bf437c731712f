import { pauseOf } from '@po/platform';

const PACE = { firstMs: 200, lastMs: 2_000 };

interface Hold {
  failures: number;
  /** Of `performance.now()`; Infinity while an answer is awaited. */
  until: number;
}

/**
 * Keys whose rows wait because a partition takes nothing, each with that partition: it is tried again with back-off, by some of its keys
 * and not by all. There is one entry for each order that waits.
 */
export class HeldKeys {
  private readonly partitions = new Map<string, Hold>();
  private readonly keys = new Map<string, string>();

  /** Those that wait now; the others are forgotten. */
  list(): string[] {
    for (const [key, partition] of this.keys) if (!this.isHeld(partition)) this.keys.delete(key);
    return [...this.keys.keys()];
  }

  get size(): number {
    return this.keys.size;
  }

  /** Whether a record for one of these partitions has to wait; then its key does from now on. */
  holds(key: string, partitions: readonly string[]): boolean {
    const held = this.keys.get(key) ?? partitions.find((partition) => this.isHeld(partition));
    if (held !== undefined) this.keys.set(key, held);
    return held !== undefined;
  }

  /** The partition did not take a record of this key. How often that happened in a row, or 0 for one that was sent along with another. */
  failed(key: string, partition: string): number {
    this.keys.set(key, partition);
    const { failures, until } = this.partitions.get(partition) ?? { failures: 0, until: Infinity };
    if (Number.isFinite(until) && until > performance.now()) return 0;
    this.partitions.set(partition, {
      failures: failures + 1,
      until: performance.now() + pauseOf(failures + 1, PACE),
    });
    return failures + 1;
  }

  /** No answer has come yet: nothing more is sent to the partition until `failed` or `works`. */
  awaits(partition: string): void {
    this.partitions.set(partition, { failures: this.partitions.get(partition)?.failures ?? 0, until: Infinity });
  }

  works(partition: string): void {
    this.partitions.delete(partition);
  }

  private isHeld(partition: string): boolean {
    return (this.partitions.get(partition)?.until ?? 0) > performance.now();
  }
}
