import { unavailable } from '@po/messaging';
import type { ServerResponse } from 'node:http';
import { watchDownload } from './download-watch.js';
import { LeaseLimiter, type LeasesRedis } from './lease-limiter.js';
import type { AdmissionLimits } from './limits.js';
import { admissionsRefused, exportsBroken, exportsOpen } from './metrics.js';

/** Another gateway, or a moment, may have room. */
const RETRY_AFTER_S = 5;

/** Which exports are made: so many of a user and of all users together, and none for longer or more slowly than it may. */
export class ExportAdmission {
  private readonly open = new Set<ServerResponse>();
  private readonly leases: LeaseLimiter;
  private closing = false;

  constructor(
    redis: LeasesRedis,
    private readonly limits: AdmissionLimits,
    /** Counts an export of a user. Throws TOO_MANY_EXPORTS for one too many a minute. */
    private readonly count: (userId: string) => Promise<void>,
  ) {
    this.leases = new LeaseLimiter(redis, {
      name: 'rate:open-exports',
      limit: limits.exportsPerUser,
      code: 'TOO_MANY_EXPORTS',
      onRefused: () => admissionsRefused.inc({ kind: 'export', limit: 'user' }),
    });
  }

  /** Admits an export, which is over when its response closes. Throws TOO_MANY_EXPORTS, or UNAVAILABLE while too many of all users are open. */
  async admit(userId: string, response: ServerResponse): Promise<void> {
    if (this.closing) throw unavailable(RETRY_AFTER_S);
    if (this.open.size >= this.limits.exportsPerGateway) {
      admissionsRefused.inc({ kind: 'export', limit: 'gateway' });
      throw unavailable(RETRY_AFTER_S);
    }
    this.open.add(response);
    exportsOpen.set(this.open.size);
    let giveBack = (): void => undefined;
    const leave = () => {
      giveBack();
      this.open.delete(response);
      exportsOpen.set(this.open.size);
    };
    try {
      giveBack = await this.leases.take(userId);
      await this.count(userId);
    } catch (error) {
      leave();
      throw error;
    }
    if (response.closed) leave();
    else response.once('close', leave);
  }

  /** Breaks a download off that takes too long or is taken too slowly. */
  watch(response: ServerResponse): void {
    watchDownload(response, this.limits, (reason) => breakOff(response, reason));
  }

  /** Breaks off what is open: a file that ends early must not look whole. Admits nothing from now on. */
  close(): void {
    this.closing = true;
    for (const response of this.open) breakOff(response, 'shutdown');
  }

  /** What was given back is known to all gateways before it resolves, if Redis is there. */
  settle(): Promise<void> {
    return this.leases.close();
  }
}

function breakOff(response: ServerResponse, reason: 'deadline' | 'slow' | 'shutdown'): void {
  exportsBroken.inc({ reason });
  response.destroy();
}
