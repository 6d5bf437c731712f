import { messageOf } from '@po/platform';
import type { Redis } from 'ioredis';
import { Gauge } from 'prom-client';

/** Redis is unavailable or does not answer in time. */
export class RedisUnavailableError extends Error {
  constructor(options?: ErrorOptions) {
    super(`Redis does not answer${options?.cause instanceof Error ? `: ${messageOf(options.cause)}` : ''}`, options);
    this.name = 'RedisUnavailableError';
  }
}

/**
 * Circuit breaker: the first failure opens it, so that no further caller waits for a timeout. It closes after `openMs` milliseconds or with
 * the next successful probe. With infinite `openMs` it starts open, and only a probe closes it.
 */
export class Breaker {
  private openUntil: number;

  constructor(
    private readonly openMs = Infinity,
    private readonly now = () => performance.now(),
  ) {
    this.openUntil = openMs === Infinity ? Infinity : -Infinity;
  }

  /** Whether the breaker is open, so that Redis is not used. */
  get isOpen(): boolean {
    return this.now() < this.openUntil;
  }

  /** Runs `work`, or rejects immediately while the breaker is open. Every rejection is a RedisUnavailableError. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.isOpen) throw new RedisUnavailableError();
    return this.watch(work);
  }

  /** Runs `work` in any case; its outcome closes or opens the breaker. Every rejection is a RedisUnavailableError. */
  async probe<T>(work: () => Promise<T>): Promise<T> {
    const result = await this.watch(work);
    this.openUntil = -Infinity;
    return result;
  }

  /** Opens the breaker, as a failure does. */
  open(): void {
    this.openUntil = this.now() + this.openMs;
  }

  private async watch<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.open();
      throw new RedisUnavailableError({ cause: error });
    }
  }
}

/** Registers the metric `redis_up`; once per process. */
export function reportRedis(redis: Pick<Redis, 'status'>, breaker: Breaker): void {
  new Gauge({
    name: 'redis_up',
    help: '1 while Redis answers in time, else 0',
    collect() {
      this.set(redis.status === 'ready' && !breaker.isOpen ? 1 : 0);
    },
  });
}
