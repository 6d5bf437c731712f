import { createHash } from 'node:crypto';
import type { Redis } from 'ioredis';

/** A Lua script: sent once to each Redis, then called by its digest. */
export class Script {
  private readonly digest: string;

  constructor(private readonly source: string) {
    this.digest = createHash('sha1').update(source).digest('hex');
  }

  async run(redis: Redis, keys: string[], values: (string | number)[]): Promise<unknown> {
    try {
      return await redis.evalsha(this.digest, keys.length, ...keys, ...values);
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) throw error;
      return redis.eval(this.source, keys.length, ...keys, ...values);
    }
  }
}
