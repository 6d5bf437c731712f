import { once } from 'node:events';
import { type Logger, type RedisServer, type VerifiedTls, parseRedisUrl, verifiedTls } from '@po/platform';
import { Cluster, Redis, type RedisOptions as ClientOptions } from 'ioredis';

const CONNECT_TIMEOUT_MS = 1_000;
const FIRST_RECONNECT_MS = 50;
const LAST_RECONNECT_MS = 1_000;
const LOG_EVERY_MS = 10_000;
/** What a connection that is closed waits for the other end; the timer also runs where there is no other end any more. */
const MAX_DISCONNECT_MS = 250;
/** A command that a node of a cluster sends elsewhere, or that is lost with its node, is tried so often and after so long. */
const REDIRECTIONS = 3;
const REDIRECTION_MS = 50;

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
 * A connection that keeps reconnecting in the background, to wherever the primary is by then. A command that cannot be sent now, or is
 * not answered within `timeoutMs`, is rejected; none is queued while Redis is away, or sent again, but for those of a cluster: they
 * follow what they ask for to another node, and may run twice when their node dies.
 */
export function connectRedis<S extends Scripts>(url: string, options: RedisOptions<S>): ScriptedRedis<S> {
  const { logger, onError } = options;
  const report = sometimes((error) => logger.warn({ err: error }, onError));
  const server = parseRedisUrl(url);
  const former = 'the certificates for Redis cannot be used; the previous ones stay in use';
  const tls = server.tls
    ? verifiedTls(
        'redis',
        server.files,
        sometimes((error) => logger.warn({ err: error }, former)),
      )
    : null;
  const redis = server.kind === 'cluster' ? clusterAt(server, tls, options) : redisAt(server, tls, options);
  redis.on('error', report);
  // A cluster's own errors tell only that all of its nodes failed.
  redis.on('node error', report);
  return redis as ScriptedRedis<S>;
}

/** What is said again and again, at most every ten seconds. */
function sometimes(say: (error: Error) => void): (error: Error) => void {
  let saidAt = -Infinity;
  return (error) => {
    if (performance.now() - saidAt < LOG_EVERY_MS) return;
    saidAt = performance.now();
    say(error);
  };
}

const retryStrategy = (attempt: number) => Math.min(FIRST_RECONNECT_MS * 2 ** attempt, LAST_RECONNECT_MS);

const connectionOf = (
  { username, password }: RedisServer,
  tls: VerifiedTls | null,
  timeoutMs: number,
): ClientOptions => ({
  ...(username === undefined ? {} : { username }),
  ...(password === undefined ? {} : { password }),
  ...(tls ? { tls } : {}),
  connectTimeout: CONNECT_TIMEOUT_MS,
  disconnectTimeout: Math.min(timeoutMs, MAX_DISCONNECT_MS),
  commandTimeout: timeoutMs,
  // A connection whose peer vanished without a word would time out every command until the kernel gives up, minutes later.
  socketTimeout: Math.max(5_000, timeoutMs),
  // Nobody's rights need a command that tells what library this is.
  disableClientInfo: true,
  autoResendUnfulfilledCommands: false,
  maxRetriesPerRequest: 0,
});

function redisAt<S extends Scripts>(
  server: Exclude<RedisServer, { kind: 'cluster' }>,
  tls: VerifiedTls | null,
  { timeoutMs, pipelined, scripts }: RedisOptions<S>,
): Redis {
  const redis = new Redis({
    ...(server.kind === 'alone' ? server.address : sentinelsOf(server, tls)),
    ...connectionOf(server, tls, timeoutMs),
    db: server.db,
    scripts,
    enableOfflineQueue: false,
    enableAutoPipelining: pipelined,
    retryStrategy,
    // After a failover the old primary is a replica that refuses writes: the name may lead to the new one by now.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  });
  // ioredis would go on in database 0, which may be somebody else's.
  redis.on('error', ({ command }: Error & { command?: { name: string } }) => {
    if (command?.name === 'select') redis.disconnect(true);
  });
  return redis;
}

const sentinelsOf = (
  { addresses, name, sentinel }: Extract<RedisServer, { kind: 'sentinel' }>,
  tls: VerifiedTls | null,
): ClientOptions => ({
  sentinels: addresses,
  name,
  ...(sentinel.username === undefined ? {} : { sentinelUsername: sentinel.username }),
  ...(sentinel.password === undefined ? {} : { sentinelPassword: sentinel.password }),
  ...(tls ? { sentinelTLS: tls, enableTLSForSentinelMode: true } : {}),
  sentinelCommandTimeout: CONNECT_TIMEOUT_MS,
  sentinelRetryStrategy: retryStrategy,
  // Those of the URL are asked: what sentinels call each other need not be a name that their certificates have.
  updateSentinels: false,
});

function clusterAt<S extends Scripts>(
  server: Extract<RedisServer, { kind: 'cluster' }>,
  tls: VerifiedTls | null,
  { timeoutMs, pipelined, scripts }: RedisOptions<S>,
): Cluster {
  return new Cluster(server.addresses, {
    redisOptions: connectionOf(server, tls, timeoutMs),
    scripts,
    enableOfflineQueue: false,
    enableAutoPipelining: pipelined,
    clusterRetryStrategy: retryStrategy,
    slotsRefreshTimeout: CONNECT_TIMEOUT_MS,
    maxRedirections: REDIRECTIONS,
    retryDelayOnFailover: REDIRECTION_MS,
    retryDelayOnClusterDown: REDIRECTION_MS,
    retryDelayOnTryAgain: REDIRECTION_MS,
    // Names are left to each connection, which must find them in the certificate.
    dnsLookup: (host, found) => found(null, host),
  });
}

/** Resolves when the connection can be used. Rejects when it fails first, or when `signal` aborts. */
export async function connected(redis: Redis, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (redis.status !== 'ready') await once(redis, 'ready', { signal });
}
