import { setTimeout as delay, setImmediate } from 'node:timers/promises';
import { ALL_USERS, SIGNALS } from '@po/contracts';
import type { Logger } from '@po/platform';
import { Breaker, connectRedis, userHash } from '@po/redis';

const TIMEOUT_MS = 250;
const RETRY_AFTER_MS = 1_000;
/** Above this number of users, the signal is ALL_USERS. */
const MAX_USERS = 1_000;

/** Announces a posted message to users who have its order open. */
export interface PostedMessage {
  entryId: string;
  poRef: string;
  vendorCode: string;
  internal: boolean;
}

/**
 * Signals changed inboxes to the gateways, so that live streams rarely need to poll. Callers do not wait, and sending may fail: after a
 * failure one signal for ALL_USERS covers the lost ones.
 */
export class InboxSignals {
  /** Whether Redis accepts signals. */
  readonly breaker = new Breaker();
  private readonly users = new Set<string>();
  private readonly deletedUsers = new Set<string>();
  private allUsers = false;
  private sending = false;
  private stopped = false;

  constructor(
    /** Takes comma-separated user hashes or ALL_USERS, and the hashes of deleted users. */
    private readonly send: (users: string, deleted: string) => Promise<unknown>,
    private readonly sendPosted: (message: PostedMessage) => Promise<unknown>,
  ) {}

  /** Call after the change is committed. */
  signal(userIds: Iterable<string>): void {
    if (!this.allUsers) for (const userId of userIds) this.users.add(userHash(userId));
    if (this.users.size > MAX_USERS) this.allUsers = true;
    if (!this.sending) void this.sendAll();
  }

  /** Call after a deletion is committed. Gateways that announced this user must announce them again on their return. */
  signalDeleted(userId: string): void {
    this.deletedUsers.add(userHash(userId));
    this.signal([userId]);
  }

  /** Best effort: clients that miss a signal get the message with their next request. */
  signalPosted(messages: readonly PostedMessage[]): void {
    for (const message of messages) this.sendPosted(message).catch(() => undefined);
  }

  signalAllUsers(): void {
    this.allUsers = true;
    this.signal([]);
  }

  stop(): void {
    this.stopped = true;
  }

  private async sendAll(): Promise<void> {
    this.sending = true;
    while ((this.allUsers || this.users.size > 0) && !this.stopped) {
      // Commits within one turn of the event loop share one signal.
      await setImmediate();
      const users = this.allUsers ? ALL_USERS : [...this.users].join(',');
      this.allUsers = false;
      this.users.clear();
      const deleted = [...this.deletedUsers];
      this.deletedUsers.clear();
      await this.breaker
        .probe(() => this.send(users, deleted.join(',')))
        .catch(() => {
          this.allUsers = true;
          for (const user of deleted) this.deletedUsers.add(user);
          return delay(RETRY_AFTER_MS, undefined, { ref: false });
        });
    }
    this.sending = false;
  }
}

const fieldsOf = ({ poRef, entryId, vendorCode, internal }: PostedMessage): string[] => [
  ...['posted', entryId, 'poRef', poRef, 'vendorCode', vendorCode],
  ...(internal ? ['internal', 'true'] : []),
];

/** Sends signals through Redis until `close`. */
export function connectInboxSignals(
  redisUrl: string,
  logger: Logger,
  { key, entries, timeoutMs = TIMEOUT_MS }: { key: string; entries: number; timeoutMs?: number } = SIGNALS.inboxes,
) {
  const onError = 'Redis does not answer; live streams notice changes later';
  const redis = connectRedis(redisUrl, { logger, onError, timeoutMs, pipelined: false, scripts: {} });
  const add = (fields: string[]) => redis.xadd(key, 'MAXLEN', '~', entries, '*', ...fields);
  const signals = new InboxSignals(
    (users, deleted) => add(['users', users, ...(deleted ? ['deleted', deleted] : [])]),
    (message) => add(fieldsOf(message)),
  );
  // Earlier signals may be lost, because a process died before it sent them or because the previous Redis is gone.
  redis.on('ready', () => signals.signalAllUsers());
  // A cluster emits `ready` only once. A removed node may have held the signals.
  redis.on('-node', () => signals.signalAllUsers());
  const close = () => {
    signals.stop();
    redis.disconnect();
  };
  return { signals, redis, close };
}
