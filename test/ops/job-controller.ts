import { setTimeout as delay } from 'node:timers/promises';
import type { ApiServer } from './api-server.js';
import type { Resource } from './chart.js';

const POLL_MS = 50;

/** Completes or fails every created Job, as the controller of a cluster would. */
export class JobController {
  private readonly done: { name: string; deployments: number }[] = [];
  private readonly seen = new Set<string>();
  private failing: string | null = null;
  private readonly stopping = new AbortController();
  private readonly running: Promise<void>;

  constructor(
    private readonly server: ApiServer,
    private readonly jobs: string,
    private readonly deployments: string,
  ) {
    this.running = this.run();
    // `stop` reports the error.
    this.running.catch(() => undefined);
  }

  /** Makes the job of this name fail from now on; null = none. */
  fails(name: string | null): void {
    this.failing = name;
  }

  /** Names of the jobs that ended since the last call, sorted. */
  ended(): string[] {
    return this.done
      .splice(0)
      .map(({ name }) => name)
      .toSorted();
  }

  /** Number of Deployments at the end of each job that `ended` has not returned yet. */
  seenBeside(): number[] {
    return this.done.map(({ deployments }) => deployments);
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      for (const job of await this.server.list(this.jobs)) {
        const uid = job.metadata.uid ?? '';
        if (this.seen.has(uid)) continue;
        this.seen.add(uid);
        await this.end(job);
      }
      await delay(POLL_MS);
    }
  }

  private async end(job: Resource): Promise<void> {
    const { name } = job.metadata;
    const short = name.replace('po-po-collaboration-', '');
    const deployments = (await this.server.list(this.deployments)).length;
    const now = new Date().toISOString().replace(/\.\d+/, '');
    const condition = (type: string) => ({
      type,
      status: 'True',
      lastProbeTime: now,
      lastTransitionTime: now,
      reason: 'Ended',
    });
    const status =
      short === this.failing
        ? { startTime: now, failed: 1, conditions: [condition('FailureTarget'), condition('Failed')] }
        : {
            startTime: now,
            completionTime: now,
            succeeded: 1,
            conditions: [condition('SuccessCriteriaMet'), condition('Complete')],
          };
    await this.server.requestOk('PATCH', `${this.jobs}/${name}/status`, { status }, 'application/merge-patch+json');
    this.done.push({ name: short, deployments });
  }
}
