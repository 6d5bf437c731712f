import { unavailable } from '@po/messaging';
import type { ServerResponse } from 'node:http';
import { watchDownload } from './download-watch.js';
import { LeaseLimiter, type LeasesRedis } from './lease-limiter.js';
import type { AdmissionLimits } from './limits.js';
import { admissionsRefused, exportsBroken, exportsOpen } from './metrics.js';

/** Short, because another gateway may have room now and this one soon. */
const RETRY_AFTER_S = 5;

/** Admits exports: limits per user and per gateway, a deadline and a minimum rate. */
export class ExportAdmission {
  private readonly open = new Set<ServerResponse>();
  /** Those of `open` whose file is being sent. */
  private readonly begun = new Set<ServerResponse>();
  private readonly leases: LeaseLimiter;
  private closing = false;

  constructor(
    redis: LeasesRedis,
    private readonly limits: AdmissionLimits,
    /** Counts an export of the user. Throws TOO_MANY_EXPORTS when the user exceeds the exports per minute. */
    private readonly count: (userId: string) => Promise<void>,
  ) {
    this.leases = new LeaseLimiter(redis, {
      name: 'rate:open-exports',
      limit: limits.exportsPerUser,
      code: 'TOO_MANY_EXPORTS',
      onRefused: () => admissionsRefused.inc({ kind: 'export', limit: 'user' }),
    });
  }

  /** Admits an export until its response closes. Throws TOO_MANY_EXPORTS, or UNAVAILABLE at the gateway's limit and during shutdown. */
  async admit(userId: string, response: ServerResponse): Promise<void> {
    if (this.closing) throw unavailable(RETRY_AFTER_S);
    if (this.open.size >= this.limits.exportsPerGateway) {
      admissionsRefused.inc({ kind: 'export', limit: 'gateway' });
      throw unavailable(RETRY_AFTER_S);
    }
    this.open.add(response);
    exportsOpen.set(this.open.size);
    let releaseLease = (): void => undefined;
    const leave = () => {
      releaseLease();
      this.open.delete(response);
      this.begun.delete(response);
      exportsOpen.set(this.open.size);
    };
    try {
      releaseLease = await this.leases.take(userId);
      await this.count(userId);
    } catch (error) {
      leave();
      throw error;
    }
    if (response.closed) leave();
    else response.once('close', leave);
  }

  /**
   * Begins an admitted download, before its headers: aborts it if it exceeds its deadline, is read too slowly or the gateway closes. Throws
   * UNAVAILABLE during shutdown.
   */
  begin(response: ServerResponse): void {
    if (this.closing) throw unavailable(RETRY_AFTER_S);
    if (response.closed) return;
    this.begun.add(response);
    watchDownload(response, this.limits, (reason) => abort(response, reason));
  }

  /** Aborts exports that have begun, because a truncated file must not look complete. Admits and begins no more. */
  close(): void {
    this.closing = true;
    for (const response of this.begun) abort(response, 'shutdown');
  }

  /** Resolves once all gateways can see the released leases, if Redis is available. */
  settle(): Promise<void> {
    return this.leases.close();
  }
}

function abort(response: ServerResponse, reason: 'deadline' | 'slow' | 'shutdown'): void {
  exportsBroken.inc({ reason });
  response.destroy();
}
