import { randomUUID } from 'node:crypto';
import { ProblemError } from '@po/contracts';
import type { Logger } from '@po/platform';
import { Breaker, type ScriptedRedis, type Scripts, connectRedis, userHash } from '@po/redis';
import { streamsRefused } from './metrics.js';

/** Streams that a user may have open, over all gateways. */
const LIMIT = 5;
/** A place that is not renewed for this long is free again: its gateway died. */
const LEASE_MS = 10_000;
/** Parts of a lease after which it is renewed. */
const RENEWALS = 3;
/** Longer than for what every request waits for: a stream is opened once. */
const TIMEOUT_MS = 250;
const REST_MS = 1_000;

// By Redis's own clock: those of gateways may differ.
const NOW = `
local time = redis.call('TIME')
local now = tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
`;

const SCRIPTS = {
  /** KEYS places of a user. ARGV how many there are, lease in milliseconds, place. -> 1, or 0 when all are taken */
  takePlace: {
    numberOfKeys: 1,
    lua: `${NOW}
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[1]) then return 0 end
redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[3])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1`,
  },
  /** KEYS places of a user. ARGV lease in milliseconds, places. */
  renewPlaces: {
    numberOfKeys: 1,
    lua: `${NOW}
for i = 2, #ARGV do redis.call('ZADD', KEYS[1], now + ARGV[1], ARGV[i]) end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return 1`,
  },
} satisfies Scripts;

type PlacesRedis = ScriptedRedis<typeof SCRIPTS>;

/** A connection for places: it never waits long for an answer. */
export const connectPlaces = (url: string, logger: Logger, timeoutMs = TIMEOUT_MS): PlacesRedis =>
  connectRedis(url, {
    ...{ logger, onError: 'Redis does not answer; open streams are counted locally' },
    ...{ timeoutMs, pipelined: true, scripts: SCRIPTS },
  });

/**
 * How many streams a user has open: over all gateways, or over this one alone while Redis is away. A place in Redis is a lease, so what
 * a gateway could not give back before it died, or while Redis was away, comes back by itself.
 */
export class Places {
  private readonly own = new Map<string, Set<string>>();
  private readonly breaker = new Breaker(REST_MS);
  private readonly renewing: NodeJS.Timeout;
  private readonly givingBack = new Set<Promise<unknown>>();

  constructor(
    private readonly redis: PlacesRedis,
    private readonly leaseMs = LEASE_MS,
  ) {
    this.renewing = setInterval(() => this.renew(), leaseMs / RENEWALS).unref();
  }

  /** Takes one, to be given back by what is answered. Throws TOO_MANY_STREAMS. */
  async take(userId: string): Promise<() => void> {
    const key = `streams:${userHash(userId)}`;
    const place = randomUUID();
    const places = this.own.get(key) ?? new Set();
    this.own.set(key, places.add(place));
    if (places.size <= LIMIT && (await this.isFree(key, place))) return () => this.giveBack(key, place);
    this.forget(key, place);
    streamsRefused.inc();
    const headers = { 'retry-after': String(Math.ceil(this.leaseMs / 1000)) };
    throw new ProblemError('TOO_MANY_STREAMS', {}, { headers, hidden: { limit: LIMIT } });
  }

  /** What was given back is known to all before it resolves, if Redis is there. */
  async close(): Promise<void> {
    clearInterval(this.renewing);
    await Promise.all(this.givingBack);
    this.redis.disconnect();
  }

  private async isFree(key: string, place: string): Promise<boolean> {
    try {
      return (await this.breaker.run(() => this.redis.takePlace(key, LIMIT, this.leaseMs, place))) === 1;
    } catch {
      return true;
    }
  }

  private giveBack(key: string, place: string): void {
    this.forget(key, place);
    const given = this.breaker.run(() => this.redis.zrem(key, place)).catch(() => undefined);
    this.givingBack.add(given);
    void given.then(() => this.givingBack.delete(given));
  }

  private forget(key: string, place: string): void {
    const places = this.own.get(key);
    places?.delete(place);
    if (places?.size === 0) this.own.delete(key);
  }

  // Also what was taken while Redis was away, and what Redis lost.
  private renew(): void {
    for (const [key, places] of this.own) {
      this.breaker.run(() => this.redis.renewPlaces(key, this.leaseMs, ...places)).catch(() => undefined);
    }
  }
}
