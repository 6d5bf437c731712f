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
 * Circuit breaker: the first failure opens it, so that no further caller waits for a timeout. It closes after `restMs` milliseconds or with
 * the next successful probe. With an infinite rest it starts open, and only a probe closes it.
 */
export class Breaker {
  private restsUntil: number;

  constructor(
    private readonly restMs = Infinity,
    private readonly now = () => performance.now(),
  ) {
    this.restsUntil = restMs === Infinity ? Infinity : -Infinity;
  }

  /** Whether the breaker is open, so that Redis is not used. */
  get rests(): boolean {
    return this.now() < this.restsUntil;
  }

  /** Runs `work`, or rejects immediately while the breaker is open. Every rejection is a RedisAway. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.rests) throw new RedisAway();
    return this.watch(work);
  }

  /** Runs `work` in any case; its outcome closes or opens the breaker. Every rejection is a RedisAway. */
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
