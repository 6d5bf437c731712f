import { randomUUID } from 'node:crypto';
import { type ErrorCode, ProblemError } from '@po/contracts';
import type { Logger } from '@po/platform';
import { Breaker, type ScriptedRedis, type Scripts, connectRedis, userHash } from '@po/redis';

/** A lease that is not renewed for this long ends: its gateway died. */
const LEASE_MS = 10_000;
/** Parts of a lease after which it is renewed. */
const RENEWALS = 3;
/** Longer than for what every request waits for: streams, exports and uploads begin seldom. */
const TIMEOUT_MS = 250;
const REST_MS = 1_000;

// By Redis's own clock: those of gateways may differ.
const NOW = `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
`;

const SCRIPTS = {
  /** KEYS leases of a user. ARGV how many there may be, lease in milliseconds, lease id. -> 1, or 0 when all are taken */
  takeLease: {
    numberOfKeys: 1,
    lua: `${NOW}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
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

/** A connection for leases: it never waits long for an answer. */
export const connectLeases = (url: string, logger: Logger, timeoutMs = TIMEOUT_MS): LeasesRedis =>
  connectRedis(url, {
    logger,
    onError: 'Redis does not answer; open streams, exports and uploads are counted locally',
    timeoutMs,
    pipelined: true,
    scripts: SCRIPTS,
  });

/** What a user may have only so many of at a time. */
export interface Leased {
  /** What the keys in Redis begin with: what the gateway's Redis user may touch is listed by it. */
  name: string;
  limit: number;
  code: ErrorCode;
  /** Called for each that is refused. */
  onRefused: () => void;
}

/**
 * How many of something a user has open: over all gateways, or over this one alone while Redis is away. Each is a lease in Redis, so what
 * a gateway could not give back before it died, or while Redis was away, ends by itself.
 */
export class LeaseLimiter {
  private readonly own = new Map<string, Set<string>>();
  private readonly breaker = new Breaker(REST_MS);
  private readonly renewing: NodeJS.Timeout;
  private readonly givingBack = new Set<Promise<unknown>>();

  constructor(
    private readonly redis: LeasesRedis,
    private readonly leased: Leased,
    private readonly leaseMs = LEASE_MS,
  ) {
    this.renewing = setInterval(() => this.renew(), leaseMs / RENEWALS).unref();
  }

  /** Takes one, to be given back by what is answered. Throws the limiter's code, with Retry-After, for one too many. */
  async take(userId: string): Promise<() => void> {
    const { name, limit, code, onRefused } = this.leased;
    const key = `${name}:${userHash(userId)}`;
    const lease = randomUUID();
    const leases = this.own.get(key) ?? new Set();
    this.own.set(key, leases.add(lease));
    const isAsked = leases.size <= limit;
    if (isAsked && (await this.isFree(key, lease))) return () => this.giveBack(key, lease);
    // A renewal may have come between the refusal by Redis and its answer; what it was not asked for, it does not have.
    if (isAsked) this.giveBack(key, lease);
    else this.forget(key, lease);
    onRefused();
    const headers = { 'retry-after': String(Math.ceil(this.leaseMs / 1000)) };
    throw new ProblemError(code, {}, { headers, hidden: { limit } });
  }

  /** What was given back is known to all before it resolves, if Redis is there. */
  async close(): Promise<void> {
    clearInterval(this.renewing);
    await Promise.all(this.givingBack);
  }

  private async isFree(key: string, lease: string): Promise<boolean> {
    try {
      return (await this.breaker.run(() => this.redis.takeLease(key, this.leased.limit, this.leaseMs, lease))) === 1;
    } catch {
      return true;
    }
  }

  private giveBack(key: string, lease: string): void {
    this.forget(key, lease);
    const given = this.breaker.run(() => this.redis.zrem(key, lease)).catch(() => undefined);
    this.givingBack.add(given);
    void given.then(() => this.givingBack.delete(given));
  }

  private forget(key: string, lease: string): void {
    const leases = this.own.get(key);
    leases?.delete(lease);
    if (leases?.size === 0) this.own.delete(key);
  }

  // Also what was taken while Redis was away, and what Redis lost.
  private renew(): void {
    for (const [key, leases] of this.own) {
      this.breaker.run(() => this.redis.renewLeases(key, this.leaseMs, ...leases)).catch(() => undefined);
    }
  }
}
