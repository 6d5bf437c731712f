import { randomUUID } from 'node:crypto';
import { type ErrorCode, ProblemError } from '@po/contracts';
import type { Logger } from '@po/platform';
import { Breaker, type ScriptedRedis, type Scripts, connectRedis, userHash } from '@po/redis';

/** A lease that is not renewed for this long expires: its gateway died. */
const LEASE_MS = 10_000;
/** Renewals per lease duration. */
const RENEWALS = 3;
/** Longer than the timeout of the Redis calls of every request, because streams, exports and uploads start rarely. */
const TIMEOUT_MS = 250;
const BREAKER_OPEN_MS = 1_000;

// Uses the clock of Redis, because the clocks of gateways may differ.
const NOW = `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
`;

const SCRIPTS = {
  /** KEYS leases of a user. ARGV limit, lease in milliseconds, lease id, which may be taken already. -> 1, or 0 when all are taken */
  takeLease: {
    numberOfKeys: 1,
    lua: `${NOW}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
redis.call('ZREM', KEYS[1], ARGV[3])
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[1]) then return 0 end
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1`,
  },
  /** KEYS leases of a user. ARGV lease in milliseconds, lease ids. */
  renewLeases: {
    numberOfKeys: 1,
    lua: `${NOW}
for i = 2, #ARGV do redis.call('ZADD', KEYS[1], now + ARGV[1], ARGV[i]) end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return 1`,
  },
} satisfies Scripts;

export type LeasesRedis = ScriptedRedis<typeof SCRIPTS>;

/** Redis connection for leases, with a short timeout. */
export const connectLeases = (url: string, logger: Logger, timeoutMs = TIMEOUT_MS): LeasesRedis =>
  connectRedis(url, {
    logger,
    onError: 'Redis does not answer; open streams, exports and uploads are counted locally',
    timeoutMs,
    pipelined: true,
    scripts: SCRIPTS,
  });

/** A resource that is limited per user. */
export interface LeaseOptions {
  /** Prefix of the Redis keys. The ACL of the gateway's Redis user lists it. */
  name: string;
  limit: number;
  code: ErrorCode;
  /** Called for each refusal. */
  onRefused: () => void;
}

/**
 * Limits how many of a resource a user has open: over all gateways, or on this gateway alone while Redis is unavailable. Each one is a
 * lease in Redis, so those that a gateway could not release, because it died or Redis was unavailable, expire.
 */
export class LeaseLimiter {
  /** Number of holders by lease, by key. */
  private readonly own = new Map<string, Map<string, number>>();
  private readonly breaker = new Breaker(BREAKER_OPEN_MS);
  private readonly renewing: NodeJS.Timeout;
  private readonly releasing = new Set<Promise<unknown>>();

  constructor(
    private readonly redis: LeasesRedis,
    private readonly leased: LeaseOptions,
    private readonly leaseMs = LEASE_MS,
  ) {
    this.renewing = setInterval(() => this.renew(), leaseMs / RENEWALS).unref();
  }

  /**
   * Takes a lease and returns the function that releases it. Throws the resource's code, with Retry-After, if none is free. A lease of the
   * user that is taken again counts once, until all its holders have released it.
   */
  async take(userId: string, lease: string = randomUUID()): Promise<() => void> {
    const { name, limit, code, onRefused } = this.leased;
    const key = `${name}:${userHash(userId)}`;
    const leases = this.own.get(key) ?? new Map<string, number>();
    this.own.set(key, leases.set(lease, (leases.get(lease) ?? 0) + 1));
    const isAsked = leases.size <= limit;
    if (isAsked && (await this.isFree(key, lease))) return () => this.release(key, lease);
    // A renewal may have stored the lease before the refusal of Redis arrived, so it is removed there too. Redis never saw a lease that was
    // refused locally.
    if (isAsked) this.release(key, lease);
    else this.forget(key, lease);
    onRefused();
    const headers = { 'retry-after': String(Math.ceil(this.leaseMs / 1000)) };
    throw new ProblemError(code, {}, { headers, hidden: { limit } });
  }

  /** Resolves once all gateways can see the released leases, if Redis is available. */
  async close(): Promise<void> {
    clearInterval(this.renewing);
    await Promise.all(this.releasing);
  }

  private async isFree(key: string, lease: string): Promise<boolean> {
    try {
      return (await this.breaker.run(() => this.redis.takeLease(key, this.leased.limit, this.leaseMs, lease))) === 1;
    } catch {
      return true;
    }
  }

  private release(key: string, lease: string): void {
    this.forget(key, lease);
    if (this.own.get(key)?.has(lease)) return;
    const released = this.breaker.run(() => this.redis.zrem(key, lease)).catch(() => undefined);
    this.releasing.add(released);
    void released.then(() => this.releasing.delete(released));
  }

  private forget(key: string, lease: string): void {
    const leases = this.own.get(key);
    const holders = leases?.get(lease) ?? 0;
    if (holders > 1) leases?.set(lease, holders - 1);
    else leases?.delete(lease);
    if (leases?.size === 0) this.own.delete(key);
  }

  // Also stores the leases that were taken while Redis was unavailable, and those that Redis lost.
  private renew(): void {
    for (const [key, leases] of this.own) {
      this.breaker.run(() => this.redis.renewLeases(key, this.leaseMs, ...leases.keys())).catch(() => undefined);
    }
  }
}
