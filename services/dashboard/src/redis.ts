import type { Logger } from '@po/platform';
import { Redis } from 'ioredis';

const CONNECT_TIMEOUT_MS = 1_000;
const FIRST_RECONNECT_MS = 50;
const LAST_RECONNECT_MS = 1_000;
const LOG_EVERY_MS = 10_000;

/**
 * A connection that keeps reconnecting in the background. A command that cannot be sent now, or is not answered within `timeoutMs`,
 * is rejected; none is queued or sent again.
 */
export function connectRedis(url: string, logger: Logger, timeoutMs: number): Redis {
  const redis = new Redis(url, {
    connectTimeout: CONNECT_TIMEOUT_MS,
    commandTimeout: timeoutMs,
    // A connection whose peer vanished without a word would time out every command until the kernel gives up, minutes later.
    socketTimeout: Math.max(5_000, timeoutMs),
    enableOfflineQueue: false,
    // What is sent in one turn of the event loop, or while an answer is awaited, goes out in one write.
    enableAutoPipelining: true,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(FIRST_RECONNECT_MS * 2 ** attempt, LAST_RECONNECT_MS),
    // After a failover the old primary is a replica that refuses writes: the name may lead to the new one by now.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  });
  let loggedAt = -Infinity;
  redis.on('error', (error: Error) => {
    if (performance.now() - loggedAt < LOG_EVERY_MS) return;
    loggedAt = performance.now();
    logger.warn({ err: error }, 'Redis connection');
  });
  return redis;
}

/** Resolves when the connection can be used. Rejects when it fails first, or when `signal` aborts. */
export async function connected(redis: Redis, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (redis.status === 'ready') return;
  await new Promise<void>((resolve, reject) => {
    redis.once('ready', resolve);
    redis.once('error', reject);
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
