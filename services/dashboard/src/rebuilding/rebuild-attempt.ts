import type { ProjectionRedis } from '../projection/connection.js';
import { type Position, applyArguments } from '../projection/counters.js';
import type { Keys } from '../projection/keys.js';
import { AppliedCounts } from '../projection/applied-counts.js';
import type { OrderState } from '../projection/order-state.js';

/** One attempt to fill a new generation. Every write is rejected once another process owns the lock or the generation. */
export class RebuildAttempt {
  private readonly known = new AppliedCounts();

  private constructor(
    private readonly redis: ProjectionRedis,
    private readonly keys: Keys,
    private readonly token: string,
    readonly generation: string,
  ) {}

  /**
   * Takes the lock for `ttlMs` and starts a generation, which also gets live events from now on. Null while another process holds the lock
   * or there is a current generation.
   */
  static async begin(redis: ProjectionRedis, keys: Keys, token: string, ttlMs: number): Promise<RebuildAttempt | null> {
    const { lock, current, building } = keys;
    const generation = (await redis.beginBuild(lock, current, building, token, ttlMs)) as string | null;
    return generation === null ? null : new RebuildAttempt(redis, keys, token, generation);
  }

  /** Writes one record to this generation; without an order, only its position. */
  async write(position: Position, order: OrderState | null): Promise<void> {
    const [outcome, generation, applied] = (await this.redis.applyState(
      this.keys.current,
      this.keys.building,
      this.keys.changed,
      ...applyArguments(this.keys, this.generation, position, this.known, order),
    )) as [string, string, number];
    if (outcome === 'no-generation') throw new Error('another rebuilder took over');
    if (outcome === 'records-lost') throw new Error('Redis lost records of the generation');
    this.known.record(Number(generation), position.partition, applied);
  }

  /** Extends the lock by `ttlMs`. Rejects if another process holds it. */
  async renew(ttlMs: number): Promise<void> {
    if ((await this.redis.renewLock(this.keys.lock, this.token, ttlMs)) !== 1) {
      throw new Error('the lock expired');
    }
  }

  /** Atomically makes the generation the current one and releases the lock. */
  async finish(): Promise<void> {
    const finished = await this.redis.finishBuild(
      this.keys.lock,
      this.keys.current,
      this.keys.building,
      this.keys.prefix,
      this.token,
      this.generation,
      ...this.known.flat(),
    );
    if (finished !== 1) throw new Error('another rebuilder took over, or Redis lost records of the generation');
  }

  /** Removes keys of older generations, none of which is in use. */
  clean(): Promise<void> {
    return removeGenerationsBefore(this.redis, this.keys, this.generation);
  }

  /** Gives up and removes everything, so that the next rebuilder need not wait for the lock to expire and the memory is freed. */
  async abandon(): Promise<void> {
    await this.redis.abandonBuild(this.keys.lock, this.keys.building, this.token, this.generation);
    await removeGenerationsBefore(this.redis, this.keys, String(Number(this.generation) + 1));
  }
}

/** Removes the keys of all generations before this one in bounded steps. */
async function removeGenerationsBefore(
  redis: ProjectionRedis,
  { prefix, current }: Keys,
  generation: string,
): Promise<void> {
  let cursor = '0';
  do {
    cursor = (await redis.removeOlder(current, prefix, globEscaped(prefix), generation, cursor)) as string;
  } while (cursor !== '0');
}

const globEscaped = (text: string): string => text.replace(/[\\*?[\]^]/g, '\\$&');
