import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Redis } from 'ioredis';
import type { ProjectionRedis } from '../../services/dashboard/src/projection/connection.js';
import { SCRIPTS } from '../../services/dashboard/src/projection/lua.js';
import { redisUrl } from './stores.js';

export interface TestRedis {
  redis: ProjectionRedis;
  /** Every key of this test begins with it. */
  prefix: string;
  /** Removes the keys of this test, as FLUSHALL would. */
  flush(): Promise<void>;
  keys(): Promise<string[]>;
  close(): Promise<void>;
}

/** A connection to the configured Redis and a key prefix of this test's own. */
export async function testRedis(): Promise<TestRedis> {
  const redis = new Redis(redisUrl(), { scripts: SCRIPTS }) as ProjectionRedis;
  await once(redis, 'ready');
  const prefix = `test-${randomUUID()}`;
  const keys = () => redis.keys(`${prefix}*`);
  const flush = async () => {
    const found = await keys();
    if (found.length > 0) await redis.unlink(...found);
  };
  return {
    redis,
    prefix,
    keys,
    flush,
    close: async () => {
      await flush();
      redis.disconnect();
    },
  };
}
