import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import { EVERYBODY, SIGNALS } from '@po/contracts';
import type { Logger } from '@po/platform';
import { Breaker, connectRedis, userHash } from '@po/redis';

const TIMEOUT_MS = 250;
const AGAIN_AFTER_MS = 1_000;
/** More than that are told of as everybody. */
const MAX_USERS = 1_000;

/**
 * Tells the gateways whose inboxes moved, so that live streams need not ask all the time. Nobody waits for it and it may fail: what
 * could not be told is made up for by telling of everybody once.
 */
export class MovedInboxes {
  /** Whether Redis takes what is told. */
  readonly breaker = new Breaker();
  private readonly users = new Set<string>();
  private readonly deletedUsers = new Set<string>();
  private everybody = false;
  private telling = false;
  private stopped = false;

  constructor(
    /** Takes hashes of users, separated by commas, or EVERYBODY; and of those who were deleted. */
    private readonly send: (users: string, deleted: string) => Promise<unknown>,
  ) {}

  /** Call it once what moved is committed. */
  tell(userIds: Iterable<string>): void {
    if (!this.everybody) for (const userId of userIds) this.users.add(userHash(userId));
    if (this.users.size > MAX_USERS) this.everybody = true;
    if (!this.telling) void this.tellAll();
  }

  /** Call it once a deletion is committed: gateways announced these users, and must do so again when they come back. */
  tellDeleted(userId: string): void {
    this.deletedUsers.add(userHash(userId));
    this.tell([userId]);
  }

  tellEverybody(): void {
    this.everybody = true;
    this.tell([]);
  }

  stop(): void {
    this.stopped = true;
  }

  private async tellAll(): Promise<void> {
    this.telling = true;
    while ((this.everybody || this.users.size > 0) && !this.stopped) {
      // Several commits of one turn of the event loop are told together.
      await setImmediate();
      const users = this.everybody ? EVERYBODY : [...this.users].join(',');
      this.everybody = false;
      this.users.clear();
      const deleted = [...this.deletedUsers];
      this.deletedUsers.clear();
      await this.breaker
        .probe(() => this.send(users, deleted.join(',')))
        .catch(() => {
          this.everybody = true;
          for (const user of deleted) this.deletedUsers.add(user);
          return delay(AGAIN_AFTER_MS, undefined, { ref: false });
        });
    }
    this.telling = false;
  }
}

/** Tells by way of Redis, from now until `close`. */
export function tellThrough(
  redisUrl: string,
  logger: Logger,
  { key, entries }: { key: string; entries: number } = SIGNALS.inboxes,
) {
  const onError = 'Redis does not answer; live streams notice later what moved';
  const redis = connectRedis(redisUrl, { logger, onError, timeoutMs: TIMEOUT_MS, pipelined: false, scripts: {} });
  const moved = new MovedInboxes((users, deleted) =>
    redis.xadd(key, 'MAXLEN', '~', entries, '*', 'users', users, ...(deleted ? ['deleted', deleted] : [])),
  );
  // What was told before may be lost: with a process that died before it could, or with the Redis that was there.
  redis.on('ready', () => moved.tellEverybody());
  // A cluster is ready once; of its nodes one that goes may be the one that was told.
  redis.on('-node', () => moved.tellEverybody());
  const close = () => {
    moved.stop();
    redis.disconnect();
  };
  return { moved, redis, close };
}
