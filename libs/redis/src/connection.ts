import type { Logger } from '@po/platform';
import { Redis } from 'ioredis';

const CONNECT_TIMEOUT_MS = 1_000;
const FIRST_RECONNECT_MS = 50;
const LAST_RECONNECT_MS = 1_000;
const LOG_EVERY_MS = 10_000;
/** What a connection that is closed waits for the other end; the timer also runs where there is no other end any more. */
const MAX_DISCONNECT_MS = 250;

/** Lua scripts by the name of the command that runs each. */
export type Scripts = Record<string, { numberOfKeys: number; lua: string }>;

/** A connection on which every script is a command: its keys first, then its values. */
export type ScriptedRedis<S extends Scripts> = Redis &
  Record<keyof S, (...keysAndValues: (string | number)[]) => Promise<unknown>>;

export interface RedisOptions<S extends Scripts> {
  logger: Logger;
  /** What is logged with an error of the connection, at most every ten seconds. */
  onError: string;
  /** Milliseconds that an answer may take. */
  timeoutMs: number;
  /**
   * What is sent in one turn of the event loop goes out in one write. Commands wait for the answers to that write, so that one sent
   * to a Redis that hangs may take twice `timeoutMs`.
   */
  pipelined: boolean;
  scripts: S;
}

/**
 * A connection that keeps reconnecting in the background. A command that cannot be sent now, or is not answered within `timeoutMs`,
 * is rejected; none is queued while Redis is away, or sent again.
 */
export function connectRedis<S extends Scripts>(
  url: string,
  { logger, onError, timeoutMs, pipelined, scripts }: RedisOptions<S>,
): ScriptedRedis<S> {
  const redis = new Redis(url, {
    scripts,
    connectTimeout: CONNECT_TIMEOUT_MS,
    disconnectTimeout: Math.min(timeoutMs, MAX_DISCONNECT_MS),
    commandTimeout: timeoutMs,
    // A connection whose peer vanished without a word would time out every command until the kernel gives up, minutes later.
    socketTimeout: Math.max(5_000, timeoutMs),
    enableOfflineQueue: false,
    enableAutoPipelining: pipelined,
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
    logger.warn({ err: error }, onError);
  });
  return redis as ScriptedRedis<S>;
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
