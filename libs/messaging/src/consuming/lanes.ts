interface Task {
  key: string | null;
  /** Of what it works on. */
  bytes: number;
  run: () => Promise<void>;
}

/** Tasks of no more than these are not counted: whatever the large ones wait for, they go on. */
const SMALL_BYTES = 64 * 1024;
/** While it runs, a task holds many times its bytes: parsed, checked, turned into rows. */
const LARGE_AT_ONCE_BYTES = 4 * 1024 * 1024;

/**
 * Runs tasks: those of one key strictly one after another, different keys side by side up to `concurrency`, and large ones only until
 * they are of 4 MiB together; a task without a key has a lane of its own. Tasks must not reject.
 */
export class Lanes {
  /** The first task of every lane that does not run. */
  private readonly waiting: Task[] = [];
  /** What is behind the first task of each lane. */
  private readonly byKey = new Map<string, Task[]>();
  private running = 0;
  private largeBytes = 0;
  private queued = 0;
  private accepted = 0;
  private idle: (() => void)[] = [];

  constructor(private readonly concurrency: number) {}

  /** Tasks accepted and not finished. */
  get size(): number {
    return this.queued + this.running;
  }

  /** What these tasks work on, together. */
  get bytes(): number {
    return this.accepted;
  }

  push(key: string | null, bytes: number, run: () => Promise<void>): void {
    const task = { key, bytes, run };
    this.queued += 1;
    this.accepted += bytes;
    if (key !== null) {
      const lane = this.byKey.get(key);
      if (lane) {
        lane.push(task);
        return;
      }
      this.byKey.set(key, []);
    }
    this.waiting.push(task);
    this.startNext();
  }

  /** Resolves when nothing is queued or running. */
  async drained(): Promise<void> {
    if (this.size > 0) await new Promise<void>((resolve) => this.idle.push(resolve));
  }

  private startNext(): void {
    while (this.running < this.concurrency) {
      const task = this.nextTask();
      if (!task) return;
      this.queued -= 1;
      this.running += 1;
      if (task.bytes > SMALL_BYTES) this.largeBytes += task.bytes;
      void task.run().finally(() => this.finished(task));
    }
  }

  private nextTask(): Task | undefined {
    if (this.largeBytes < LARGE_AT_ONCE_BYTES) return this.waiting.shift();
    const small = this.waiting.findIndex(({ bytes }) => bytes <= SMALL_BYTES);
    return small < 0 ? undefined : this.waiting.splice(small, 1)[0];
  }

  private finished({ key, bytes }: Task): void {
    this.running -= 1;
    this.accepted -= bytes;
    if (bytes > SMALL_BYTES) this.largeBytes -= bytes;
    if (key !== null) {
      const next = this.byKey.get(key)?.shift();
      if (next) this.waiting.push(next);
      else this.byKey.delete(key);
    }
    this.startNext();
    if (this.size === 0) for (const resolve of this.idle.splice(0)) resolve();
  }
}
