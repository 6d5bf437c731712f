import { redisUp } from './metrics.js';

/** Redis is away or does not answer in time. */
export class RedisAway extends Error {
  constructor(options?: ErrorOptions) {
    super(`Redis does not answer${options?.cause instanceof Error ? `: ${options.cause.message}` : ''}`, options);
    this.name = 'RedisAway';
  }
}

/**
 * A circuit breaker: the first failure stops all use, so that nobody else waits for a timeout; only a probe that succeeds starts it
 * again. Begins stopped.
 */
export class Availability {
  private up = false;

  constructor() {
    redisUp.set(0);
  }

  /** Runs `work`, or rejects at once while Redis is known to be away. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (!this.up) throw new RedisAway();
    return this.watch(work);
  }

  /** Runs `work` in any case; its outcome decides whether Redis may be used. */
  async probe<T>(work: () => Promise<T>): Promise<T> {
    const result = await this.watch(work);
    this.set(true);
    return result;
  }

  private async watch<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.set(false);
      throw new RedisAway({ cause: error });
    }
  }

  private set(up: boolean): void {
    this.up = up;
    redisUp.set(up ? 1 : 0);
  }
}
