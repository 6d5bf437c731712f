import { SERVICES, type ServiceName } from '../../deploy/local/stack/stack-file.js';
import { usageOf } from '../bench/usage.js';
import type { Violation } from './oracle/evidence.js';
import type { World } from './world.js';

const EVERY_MS = 100;

/** Looks at the resident memory of every replica until its end. */
export class MemoryWatch {
  /** MiB, of the replica of a service that had most. */
  private readonly peaks = new Map<ServiceName, number>();
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly world: Pick<World, 'replicas'>,
    private readonly limitMb: number,
  ) {
    this.timer = setInterval(() => this.look(), EVERY_MS);
  }

  /** Which services had more than they may. */
  end(): Violation[] {
    clearInterval(this.timer);
    return Array.from(this.peaks)
      .filter(([, peak]) => peak > this.limitMb)
      .map(([service, peak]) => `a replica of ${service} took ${Math.round(peak)} MiB; ${this.limitMb} are allowed`);
  }

  /** One line: what each service took at most. */
  summary(): string {
    return `MiB at most: ${Array.from(this.peaks, ([service, peak]) => `${service} ${Math.round(peak)}`).join(', ')}`;
  }

  private look(): void {
    for (const service of SERVICES) {
      const resident = this.world.replicas(service).map(({ pid }) => usageOf(pid).residentMb);
      this.peaks.set(service, Math.max(this.peaks.get(service) ?? 0, ...resident));
    }
  }
}
