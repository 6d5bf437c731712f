import { pauseOf } from '@po/platform';

const PACE = { firstMs: 200, lastMs: 2_000 };
/** So many keys show whether a partition takes records again. All of them would hold up what others wait for. */
const TRIED_KEYS = 20;

interface FailingPartition {
  failures: number;
  /** Of `performance.now()`, when some of its keys are tried; Infinity while an answer is awaited. */
  tryAt: number;
  tried: boolean;
  keys: Set<string>;
}

/**
 * Keys whose rows wait because a partition takes nothing, each with that partition: some of them are tried again with back-off, the
 * others wait until the partition works. There is one entry for each order that waits.
 */
export class HeldKeys {
  private readonly partitions = new Map<string, FailingPartition>();
  private readonly keys = new Map<string, string>();
  private readonly triedKeys = new Set<string>();

  /** Those that wait now. */
  list(): string[] {
    for (const partition of this.partitions.values()) {
      if (partition.tryAt > performance.now()) continue;
      const tried = [...partition.keys].slice(0, TRIED_KEYS);
      for (const key of tried) {
        this.release(key);
        this.triedKeys.add(key);
      }
      // Others, in case that nothing is left to publish of these.
      Object.assign(partition, { tried: true, tryAt: performance.now() + PACE.lastMs });
    }
    return [...this.keys.keys()];
  }

  /** Whether every partition takes records. */
  get none(): boolean {
    return this.partitions.size === 0;
  }

  get size(): number {
    return this.keys.size;
  }

  /** Whether a key has to wait: it does already, or one of these partitions takes nothing, and then it does from now on. */
  holds(key: string, partitionsOf: () => readonly string[]): boolean {
    if (this.keys.has(key)) return true;
    if (this.none || this.triedKeys.has(key)) return false;
    const failing = partitionsOf().find((partition) => this.partitions.has(partition));
    if (failing === undefined) return false;
    this.hold(key, failing);
    return true;
  }

  /** The partition did not take a record of this key. How often that happened in a row, or 0 for one that was sent along with another. */
  failed(key: string, name: string): number {
    const partition = this.partitions.get(name) ?? { failures: 0, tryAt: 0, tried: true, keys: new Set() };
    this.partitions.set(name, partition);
    this.hold(key, name);
    if (!partition.tried) return 0;
    partition.failures += 1;
    partition.tried = false;
    partition.tryAt = performance.now() + pauseOf(partition.failures, PACE);
    return partition.failures;
  }

  /** No answer has come yet: nothing more is sent to the partition until `failed`, `works` or `awaitsNoMore`. */
  awaits(name: string): void {
    const partition = this.partitions.get(name) ?? { failures: 0, keys: new Set() };
    this.partitions.set(name, { ...partition, tryAt: Infinity, tried: true });
  }

  /** If an answer is still awaited, it will not tell whether the partition takes records: some keys are tried. */
  awaitsNoMore(name: string): void {
    const partition = this.partitions.get(name);
    if (partition?.tryAt === Infinity) partition.tryAt = 0;
  }

  works(name: string): void {
    const partition = this.partitions.get(name);
    this.partitions.delete(name);
    for (const key of partition?.keys ?? []) this.keys.delete(key);
    if (this.none) this.triedKeys.clear();
  }

  private hold(key: string, name: string): void {
    this.release(key);
    this.triedKeys.delete(key);
    this.keys.set(key, name);
    this.partitions.get(name)?.keys.add(key);
  }

  private release(key: string): void {
    const name = this.keys.get(key);
    if (name === undefined) return;
    this.keys.delete(key);
    this.partitions.get(name)?.keys.delete(key);
  }
}
