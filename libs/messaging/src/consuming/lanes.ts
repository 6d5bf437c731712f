type Task = () => Promise<void>;

/**
 * Runs tasks: those of one key strictly one after another, different keys side by side up to `concurrency`; a task without a key
 * has a lane of its own. Tasks must not reject.
 */
export class Lanes {
  private readonly waiting: (Task & { key?: string })[] = [];
  private readonly byKey = new Map<string, Task[]>();
  private running = 0;
  private queued = 0;
  private idle: (() => void)[] = [];

  constructor(private readonly concurrency: number) {}

  /** Tasks accepted and not finished. */
  get size(): number {
    return this.queued + this.running;
  }

  push(key: string | null, task: Task): void {
    this.queued += 1;
    if (key !== null) {
      const lane = this.byKey.get(key);
      if (lane) {
        lane.push(task);
        return;
      }
      this.byKey.set(key, []);
    }
    this.waiting.push(key === null ? task : Object.assign(() => task(), { key }));
    this.startNext();
  }

  /** Resolves when nothing is queued or running. */
  async drained(): Promise<void> {
    if (this.size > 0) await new Promise<void>((resolve) => this.idle.push(resolve));
  }

  private startNext(): void {
    while (this.running < this.concurrency) {
      const task = this.waiting.shift();
      if (!task) return;
      this.queued -= 1;
      this.running += 1;
      void task().finally(() => this.finished(task.key));
    }
  }

  private finished(key: string | undefined): void {
    this.running -= 1;
    if (key !== undefined) {
      const next = this.byKey.get(key)?.shift();
      if (next) this.waiting.push(Object.assign(() => next(), { key }));
      else this.byKey.delete(key);
    }
    this.startNext();
    if (this.size === 0) for (const resolve of this.idle.splice(0)) resolve();
  }
}
