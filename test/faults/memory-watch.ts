import { SERVICES, type ServiceName } from '../../deploy/local/stack/stack-file.js';
import { requireProc, usageOf } from '../bench/usage.js';
import type { Violation } from './oracle/evidence.js';
import type { World } from './world.js';

const EVERY_MS = 100;

/** Samples the resident memory of every replica until `end`. */
export class MemoryWatch {
  /** Peak of the largest replica of each service, in MiB. */
  private readonly peaks = new Map<ServiceName, number>();
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly world: Pick<World, 'replicas'>,
    private readonly limitMb: number,
  ) {
    requireProc();
    this.timer = setInterval(() => this.look(), EVERY_MS);
  }

  /** Stops sampling and returns the services that exceeded the limit. */
  end(): Violation[] {
    clearInterval(this.timer);
    return Array.from(this.peaks)
      .filter(([, peak]) => peak > this.limitMb)
      .map(([service, peak]) => `a replica of ${service} used ${Math.round(peak)} MiB; the limit is ${this.limitMb}`);
  }

  /** One line with the peak of each service. */
  summary(): string {
    return `peak MiB: ${Array.from(this.peaks, ([service, peak]) => `${service} ${Math.round(peak)}`).join(', ')}`;
  }

  private look(): void {
    for (const service of SERVICES) {
      const resident = this.world.replicas(service).map(({ pid }) => usageOf(pid).residentMb);
      this.peaks.set(service, Math.max(this.peaks.get(service) ?? 0, ...resident));
    }
  }
}
