import type { Redis } from 'ioredis';
import { Gauge } from 'prom-client';

/** Redis is away or does not answer in time. */
export class RedisAway extends Error {
  constructor(options?: ErrorOptions) {
    super(`Redis does not answer${options?.cause instanceof Error ? `: ${options.cause.message}` : ''}`, options);
    this.name = 'RedisAway';
  }
}

/**
 * A circuit breaker: the first failure stops all use, so that nobody else waits for a timeout. Use begins again `restMs` milliseconds
 * later, or with the next probe that succeeds. With an infinite rest only a probe begins it, the first time too.
 */
export class Breaker {
  private restsUntil: number;

  constructor(
    private readonly restMs = Infinity,
    private readonly now = () => performance.now(),
  ) {
    this.restsUntil = restMs === Infinity ? Infinity : -Infinity;
  }

  /** Whether Redis is left alone. */
  get rests(): boolean {
    return this.now() < this.restsUntil;
  }

  /** Runs `work`, or rejects at once while Redis is left alone. Every rejection is a RedisAway. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.rests) throw new RedisAway();
    return this.watch(work);
  }

  /** Runs `work` in any case; its outcome decides whether Redis may be used. Every rejection is a RedisAway. */
  async probe<T>(work: () => Promise<T>): Promise<T> {
    const result = await this.watch(work);
    this.restsUntil = -Infinity;
    return result;
  }

  private async watch<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.restsUntil = this.now() + this.restMs;
      throw new RedisAway({ cause: error });
    }
  }
}

/** Registers the metric `redis_up`; once per process. */
export function reportRedis(redis: Pick<Redis, 'status'>, breaker: Breaker): void {
  new Gauge({
    name: 'redis_up',
    help: '1 while Redis answers in time, else 0',
    collect() {
      this.set(redis.status === 'ready' && !breaker.rests ? 1 : 0);
    },
  });
}
