import { Redis } from 'ioredis';
import type { Logger } from '@po/platform';
import { Gauge } from 'prom-client';
import type { Count } from './local-windows.js';

/** One round trip. A counter that lost its expiry would lock its user out for ever, so it is given one whenever it has none. */
const COUNT = `
local count = redis.call('INCR', KEYS[1])
local ttl = redis.call('PTTL', KEYS[1])
if ttl < 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  ttl = tonumber(ARGV[1])
end
return { count, ttl }`;

const TIMEOUT_MS = 50;
/** After a failure Redis is left alone this long: one slow answer then delays one request a second, not every one. */
const BREAK_MS = 1_000;

/** A connection for counting: it never queues while Redis is away and never waits long for an answer. */
export function connectRedis(url: string, logger: Logger): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    commandTimeout: TIMEOUT_MS,
    connectTimeout: 2_000,
    disconnectTimeout: TIMEOUT_MS,
    retryStrategy: (times) => Math.min(times * 100, 2_000),
  });
  redis.on('error', (error: Error) => logger.warn({ err: error }, 'Redis does not answer; limits are kept locally'));
  return redis;
}

/** Counts requests per key in fixed windows that all gateways share. */
export class SharedWindows {
  private brokenUntil = 0;

  constructor(
    private readonly redis: Redis,
    private readonly windowMs: number,
  ) {}

  /** Null when Redis does not answer within 50 ms, or did not a moment ago. */
  async count(key: string, now: number): Promise<Count | null> {
    if (now < this.brokenUntil) return null;
    try {
      const [count, endsInMs] = (await this.redis.eval(COUNT, 1, key, this.windowMs)) as [number, number];
      return { count, endsInMs };
    } catch {
      this.brokenUntil = now + BREAK_MS;
      return null;
    }
  }

  /** Reports whether Redis is counted on. */
  report(): void {
    const isUp = () => this.redis.status === 'ready' && Date.now() >= this.brokenUntil;
    new Gauge({
      name: 'redis_up',
      help: '1 while Redis answers, else 0',
      collect() {
        this.set(isUp() ? 1 : 0);
      },
    });
  }
}
