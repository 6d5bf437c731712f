import { backOffMs } from '@po/platform';

const RETRY = { initialMs: 200, maxMs: 2_000 };
/** Number of keys that probe whether a partition accepts records again. Trying all keys would delay other rows. */
const TRIED_KEYS = 20;

interface FailingPartition {
  failures: number;
  /** `performance.now()` at which some of its keys are tried; Infinity while an acknowledgement is awaited. */
  tryAt: number;
  tried: boolean;
  keys: Set<string>;
}

/**
 * Keys whose rows wait for a failing partition. Some keys are retried with back-off; the rest wait until the partition works. There is
 * one entry for each waiting order.
 */
export class BlockedKeys {
  private readonly partitions = new Map<string, FailingPartition>();
  private readonly keys = new Map<string, string>();
  private readonly triedKeys = new Set<string>();

  /** The keys that wait now. Releases some keys of partitions that are due for a retry. */
  waiting(): string[] {
    for (const partition of this.partitions.values()) {
      if (partition.tryAt > performance.now()) continue;
      const tried = [...partition.keys].slice(0, TRIED_KEYS);
      for (const key of tried) {
        this.release(key);
        this.triedKeys.add(key);
      }
      // Tries other keys later, in case these have nothing left to publish.
      Object.assign(partition, { tried: true, tryAt: performance.now() + RETRY.maxMs });
    }
    return [...this.keys.keys()];
  }

  /** True if no partition is failing. */
  get isEmpty(): boolean {
    return this.partitions.size === 0;
  }

  get size(): number {
    return this.keys.size;
  }

  /** True if the key has to wait: it already waits, or one of these partitions is failing and the key waits for it from now on. */
  blockIfFailing(key: string, partitionsOf: () => readonly string[]): boolean {
    if (this.keys.has(key)) return true;
    if (this.isEmpty || this.triedKeys.has(key)) return false;
    const failing = partitionsOf().find((partition) => this.partitions.has(partition));
    if (failing === undefined) return false;
    this.block(key, failing);
    return true;
  }

  /** Notes a failed record of this key. Returns the partition's consecutive failures, or 0 if the same attempt was already counted. */
  failed(key: string, name: string): number {
    const partition = this.partitions.get(name) ?? { failures: 0, tryAt: 0, tried: true, keys: new Set() };
    this.partitions.set(name, partition);
    this.block(key, name);
    if (!partition.tried) return 0;
    partition.failures += 1;
    partition.tried = false;
    partition.tryAt = performance.now() + backOffMs(partition.failures, RETRY);
    return partition.failures;
  }

  /** Notes a pending acknowledgement: nothing more is sent to the partition until `failed`, `succeeded` or `ackAbandoned`. */
  ackPending(name: string): void {
    const partition = this.partitions.get(name) ?? { failures: 0, keys: new Set() };
    this.partitions.set(name, { ...partition, tryAt: Infinity, tried: true });
  }

  /** Notes that a pending acknowledgement will not show whether the partition accepts records: some keys are tried instead. */
  ackAbandoned(name: string): void {
    const partition = this.partitions.get(name);
    if (partition?.tryAt === Infinity) partition.tryAt = 0;
  }

  succeeded(name: string): void {
    const partition = this.partitions.get(name);
    this.partitions.delete(name);
    for (const key of partition?.keys ?? []) this.keys.delete(key);
    if (this.isEmpty) this.triedKeys.clear();
  }

  private block(key: string, name: string): void {
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
