import type { Logger } from '@po/platform';
import { type ScriptedRedis, connectRedis } from '@po/redis';
import { SCRIPTS } from './lua.js';

/** A connection to the Redis that holds the projection. */
export type ProjectionRedis = ScriptedRedis<typeof SCRIPTS>;

export const connectProjection = (url: string, logger: Logger, timeoutMs: number): ProjectionRedis =>
  connectRedis(url, { logger, onError: 'Redis connection', timeoutMs, pipelined: true, scripts: SCRIPTS });
