import { once } from 'node:events';
import { type Logger, type RedisServer, type VerifiedTls, parseRedisUrl, verifiedTls } from '@po/platform';
import { Cluster, Redis, type RedisOptions as ClientOptions } from 'ioredis';

const CONNECT_TIMEOUT_MS = 1_000;
const FIRST_RECONNECT_MS = 50;
const LAST_RECONNECT_MS = 1_000;
const LOG_EVERY_MS = 10_000;
/** Milliseconds that a closed connection waits for its peer; the timer also runs if the peer no longer exists. */
const MAX_DISCONNECT_MS = 250;
/** How often, and after how many milliseconds, a cluster command is retried that was redirected or lost with its node. */
const REDIRECTIONS = 3;
const REDIRECTION_MS = 50;

/** Lua scripts by their command name. */
export type Scripts = Record<string, { numberOfKeys: number; lua: string }>;

/** A connection with a command per script, which takes the keys and then the values. */
export type ScriptedRedis<S extends Scripts> = Redis &
  Record<keyof S, (...keysAndValues: (string | number)[]) => Promise<unknown>>;

export interface RedisOptions<S extends Scripts> {
  logger: Logger;
  /** Log message for connection errors, logged at most every ten seconds. */
  onError: string;
  /** Maximum milliseconds for an answer. */
  timeoutMs: number;
  /**
   * Sends the commands of one turn of the event loop in one write. Commands wait for the answers to the previous write, so a command to a
   * hanging Redis may take twice `timeoutMs`.
   */
  pipelined: boolean;
  scripts: S;
}

/**
 * A connection that reconnects in the background to the current primary. Rejects commands that cannot be sent now or are not answered
 * within `timeoutMs`. Commands are neither queued while Redis is unavailable nor resent, except in a cluster: there they follow redirections to
 * another node, and may run twice if their node dies.
 */
export function connectRedis<S extends Scripts>(url: string, options: RedisOptions<S>): ScriptedRedis<S> {
  const { logger, onError } = options;
  const report = throttled((error) => logger.warn({ err: error }, onError));
  const server = parseRedisUrl(url);
  const former = 'the certificates for Redis cannot be used; the previous ones stay in use';
  const tls = server.tls
    ? verifiedTls(
        'redis',
        server.files,
        throttled((error) => logger.warn({ err: error }, former)),
      )
    : null;
  const redis = server.kind === 'cluster' ? clusterAt(server, tls, options) : redisAt(server, tls, options);
  redis.on('error', report);
  // The errors of a cluster itself only report that all of its nodes failed.
  redis.on('node error', report);
  return redis as ScriptedRedis<S>;
}

/** Limits repeated reports to one every ten seconds. */
function throttled(say: (error: Error) => void): (error: Error) => void {
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
  // Without it, after a peer vanished silently, every command would time out until the kernel gives up minutes later.
  socketTimeout: Math.max(5_000, timeoutMs),
  // CLIENT SETINFO would need an extra ACL permission.
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
    // After a failover the old primary is a replica that rejects writes; its name may already point to the new primary.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  });
  // ioredis would continue in database 0, which may belong to another application.
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
  // Uses only the sentinels in the URL, because the certificates of sentinels need not contain the names by which they announce each other.
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
    // Leaves names unresolved, because each connection must verify them against the certificate.
    dnsLookup: (host, found) => found(null, host),
  });
}

/** Resolves when the connection is ready. Rejects if it fails first, or when `signal` aborts. */
export async function waitUntilConnected(redis: Redis, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  if (redis.status !== 'ready') await once(redis, 'ready', { signal });
}
