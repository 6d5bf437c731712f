import type { Logger } from '@po/platform';
import { Breaker, type Scripts, type ScriptedRedis, connectRedis, inScriptSpan, reportRedis } from '@po/redis';
import type { Count, RequestCost } from './local-windows.js';

const SCRIPTS = {
  /**
   * KEYS counter. ARGV window in milliseconds, requests, limit. -> { count including these, milliseconds until the window ends }. Requests
   * that would exceed the limit are not counted. A counter that lost its expiry would lock its user out forever, so it is given a new one.
   */
  takeFromWindow: {
    numberOfKeys: 1,
    lua: `
local count = redis.call('INCRBY', KEYS[1], ARGV[2])
if count > tonumber(ARGV[3]) then redis.call('DECRBY', KEYS[1], ARGV[2]) end
local ttl = redis.call('PTTL', KEYS[1])
if ttl < 0 then
  redis.call('PEXPIRE', KEYS[1], ARGV[1])
  ttl = tonumber(ARGV[1])
end
return { count, ttl }`,
  },
} satisfies Scripts;

const TIMEOUT_MS = 50;
/** Time without calls after a failure, so that a slow Redis delays one request a second, not every request. */
const BREAKER_OPEN_MS = 1_000;
const LOCALLY = 'Redis does not answer; limits are kept locally';

type WindowsRedis = ScriptedRedis<typeof SCRIPTS>;

/** Redis connection for counting, with a timeout of 50 ms by default. */
export const connectWindows = (url: string, logger: Logger, timeoutMs = TIMEOUT_MS): WindowsRedis =>
  connectRedis(url, { logger, onError: LOCALLY, timeoutMs, pipelined: false, scripts: SCRIPTS });

/** Counts requests per key in fixed windows that all gateways share. */
export class SharedWindows {
  private readonly breaker = new Breaker(BREAKER_OPEN_MS);

  constructor(
    private readonly redis: WindowsRedis,
    private readonly windowMs: number,
  ) {}

  /** Returns null if Redis does not answer in time, or failed a moment ago. */
  async take(key: string, { requests, limit }: RequestCost): Promise<Count | null> {
    try {
      const answer = await this.breaker.run(() =>
        inScriptSpan('takeFromWindow', () => this.redis.takeFromWindow(key, this.windowMs, requests, limit)),
      );
      const [count, endsInMs] = answer as [number, number];
      return { count, endsInMs };
    } catch {
      return null;
    }
  }

  /** Reports whether Redis is used for counting. Call once per process. */
  report(): void {
    reportRedis(this.redis, this.breaker);
  }
}
