interface Task {
  key: string | null;
  /** Size of the task's input. */
  bytes: number;
  run: () => Promise<void>;
}

/** Tasks up to this size are small: they run while large tasks wait. */
const SMALL_BYTES = 64 * 1024;
/** No large task starts above this total. A running task takes many times its size in memory: parsed, validated, mapped to rows. */
const MAX_CONCURRENT_LARGE_BYTES = 4 * 1024 * 1024;

/**
 * Runs tasks with the same key one at a time and tasks with different keys in parallel: up to `concurrency`, and large ones up to 4 MiB
 * in total. A task without a key waits for no other task.
 */
export class KeyedQueue {
  /** The next task of each key, and tasks without a key. */
  private readonly waiting: Task[] = [];
  /** By key, the tasks queued behind the waiting or running one. */
  private readonly byKey = new Map<string, Task[]>();
  private running = 0;
  private largeBytes = 0;
  private queued = 0;
  private accepted = 0;
  private idle: (() => void)[] = [];

  constructor(
    private readonly concurrency: number,
    /** Called after each task, once `size` no longer counts it, with the error of a task that rejected. */
    private readonly onFinished: (error?: unknown) => void = () => undefined,
  ) {}

  /** Number of unfinished tasks. */
  get size(): number {
    return this.queued + this.running;
  }

  /** Total input size of the unfinished tasks. */
  get bytes(): number {
    return this.accepted;
  }

  push(key: string | null, bytes: number, run: () => Promise<void>): void {
    const task = { key, bytes, run };
    this.queued += 1;
    this.accepted += bytes;
    if (key !== null) {
      const behind = this.byKey.get(key);
      if (behind) {
        behind.push(task);
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
      task.run().then(
        () => this.finished(task),
        (error: unknown) => this.finished(task, error),
      );
    }
  }

  private nextTask(): Task | undefined {
    if (this.largeBytes < MAX_CONCURRENT_LARGE_BYTES) return this.waiting.shift();
    const small = this.waiting.findIndex(({ bytes }) => bytes <= SMALL_BYTES);
    return small < 0 ? undefined : this.waiting.splice(small, 1)[0];
  }

  private finished({ key, bytes }: Task, error?: unknown): void {
    this.running -= 1;
    this.accepted -= bytes;
    if (bytes > SMALL_BYTES) this.largeBytes -= bytes;
    if (key !== null) {
      const next = this.byKey.get(key)?.shift();
      if (next) this.waiting.push(next);
      else this.byKey.delete(key);
    }
    this.startNext();
    this.onFinished(error);
    if (this.size === 0) for (const resolve of this.idle.splice(0)) resolve();
  }
}
