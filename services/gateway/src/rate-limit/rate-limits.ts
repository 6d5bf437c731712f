import { type ErrorCode, ProblemError } from '@po/contracts';
import { userHash } from '@po/redis';
import { Counter } from 'prom-client';
import type { LocalWindows } from './local-windows.js';
import type { SharedWindows } from './shared-windows.js';

export type Kind = 'read' | 'write' | 'export';

const CODES: Record<Kind, ErrorCode> = {
  read: 'RATE_LIMITED',
  write: 'RATE_LIMITED',
  export: 'TOO_MANY_EXPORTS',
};

export const WINDOW_MS = 60_000;

const rejections = new Counter({
  name: 'rate_limit_rejections_total',
  help: 'Requests refused by a rate limit, by kind and by where they were counted',
  labelNames: ['kind', 'counted'],
});

/** Limits the requests of a user per minute: over all gateways, or on this gateway alone while Redis is unavailable. */
export class RateLimits {
  constructor(
    private readonly shared: Pick<SharedWindows, 'take'>,
    private readonly local: LocalWindows,
    /** Requests per minute; 0 = no limit. */
    private readonly limits: Record<Kind, number>,
  ) {}

  /**
   * Throws RATE_LIMITED or TOO_MANY_EXPORTS, with Retry-After, if the request exceeds the user's limit. Refused requests are not counted.
   * `items`: number of further writes in a batch whose first is counted already. They are admitted or refused together; more than a window
   * holds count as a full one, so that a repetition in a new window succeeds.
   */
  async admit(userId: string, kind: Kind, items?: number, now = performance.now()): Promise<void> {
    const limit = this.limits[kind];
    const requests = items === undefined ? 1 : Math.min(items, limit - 1);
    if (limit === 0 || requests === 0) return;
    const key = `rate:${kind}:${userHash(userId)}`;
    const taking = { requests, limit };
    const shared = await this.shared.take(key, taking);
    const { count, endsInMs } = shared ?? this.local.take(key, taking, now);
    if (count <= limit) return;
    rejections.inc({ kind, counted: shared ? 'shared' : 'local' });
    const retryAfter = Math.max(1, Math.ceil(endsInMs / 1000));
    throw new ProblemError(CODES[kind], {}, { headers: { 'retry-after': String(retryAfter) }, hidden: { retryAfter } });
  }
}
