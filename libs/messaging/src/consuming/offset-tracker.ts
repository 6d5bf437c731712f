interface Tracked {
  offset: bigint;
  timestamp: number;
  done: boolean;
}

/**
 * One partition's progress: records arrive in offset order and are handled in any order. The low watermark may be committed: every
 * record below it is handled. Offsets may have gaps (compaction, control records).
 */
export class OffsetTracker {
  private readonly queue: Tracked[] = [];
  private head = 0;
  private readonly open = new Map<bigint, Tracked>();
  private next: bigint | null = null;
  private committed: bigint | null = null;

  /** Starts tracking a record. Returns false for an offset at or below the last one, which is in progress or handled. */
  received(offset: bigint, timestamp = 0): boolean {
    const last = this.queue.at(-1);
    if ((last && offset <= last.offset) || (this.next !== null && offset < this.next)) return false;
    const tracked = { offset, timestamp, done: false };
    this.queue.push(tracked);
    this.open.set(offset, tracked);
    return true;
  }

  /** Marks a record as handled; unknown offsets are ignored. */
  done(offset: bigint): void {
    const tracked = this.open.get(offset);
    if (!tracked) return;
    tracked.done = true;
    this.open.delete(offset);
    for (let first = this.queue[this.head]; first?.done; first = this.queue[this.head]) {
      this.next = first.offset + 1n;
      this.head += 1;
    }
    if (this.head > 1_000 && this.head * 2 > this.queue.length) {
      this.queue.splice(0, this.head);
      this.head = 0;
    }
  }

  /** The offset to commit (of the next record to read); null if it is already committed. */
  committable(): bigint | null {
    return this.next !== null && this.next !== this.committed ? this.next : null;
  }

  /** Records that `offset` was committed. */
  acknowledged(offset: bigint): void {
    this.committed = offset;
  }

  /** Number of records in progress. */
  get pending(): number {
    return this.open.size;
  }

  /** Number of records from the oldest one in progress on, handled or not. None of them may be committed. */
  get uncommittable(): number {
    return this.queue.length - this.head;
  }

  /** Offset of the oldest record in progress, or null. */
  get firstPending(): bigint | null {
    return this.queue[this.head]?.offset ?? null;
  }

  /** Timestamp of the oldest record in progress, or null. */
  get oldestPending(): number | null {
    return this.queue[this.head]?.timestamp ?? null;
  }
}
