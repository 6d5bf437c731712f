import { setTimeout as delay } from 'node:timers/promises';
import { SERVICES } from '../../deploy/local/stack-file.js';
import type { Violation } from './oracle/evidence.js';
import { type World, managementUrls } from './world.js';

const EVERY_MS = 500;

/** Looks on while a fault is there: nobody may ask to be restarted, and nobody may end by themselves. */
export class Watch {
  private readonly complaints = new Set<Violation>();
  private readonly pids: Map<object, number>;
  private watching = true;
  private readonly looking: Promise<void>;

  constructor(private readonly world: World) {
    this.pids = new Map(this.replicas().map(({ process }) => [process, process.pid]));
    world.ended.clear();
    this.looking = this.look();
  }

  /** What was seen, once the fault is over. */
  async end(): Promise<Violation[]> {
    this.watching = false;
    await this.looking;
    for (const { name, process } of this.replicas()) {
      if (this.world.ended.has(process) || this.pids.get(process) === process.pid) continue;
      this.complaints.add(`${name} ended by itself; its output is in ${this.world.dir}/logs`);
    }
    return [...this.complaints];
  }

  private replicas() {
    return SERVICES.flatMap((service) =>
      this.world.replicas(service).map((process, replica) => ({ name: `${service} ${replica}`, process })),
    );
  }

  private async look(): Promise<void> {
    while (this.watching) {
      await Promise.all(managementUrls(this.world).map((url) => this.ask(url)));
      await delay(EVERY_MS);
    }
  }

  private async ask(url: string): Promise<void> {
    // Not reachable is a process that was killed, which is another matter.
    const answer = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(5_000) }).catch(() => null);
    if (answer?.ok === false) this.complaints.add(`${url}/healthz asks for a restart: ${await answer.text()}`);
    else await answer?.body?.cancel();
  }
}
