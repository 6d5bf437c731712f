import { setTimeout as delay } from 'node:timers/promises';
import { SIGNALS } from '@po/contracts';
import type { Logger } from '@po/platform';
import { RedisUnavailableError, connectRedis } from '@po/redis';
import type { Redis } from 'ioredis';
import type { NewerOrder, PostedMessage } from './order-audiences.js';

/** A caller of a gateway: hash of the user, role and vendor, and epoch seconds of the token's `iat`. */
export interface SeenCaller {
  user: string;
  identity: string;
  issuedAt: number;
}

interface Listeners {
  orders: (newer: NewerOrder[]) => void;
  messages: (posted: PostedMessage[]) => void;
  /** Hashes of users, or ALL_USERS. */
  inboxes: (users: string[]) => void;
  /** Hashes of deleted users. */
  deletions: (users: string[]) => void;
  /** Users who called other gateways. */
  callers: (callers: SeenCaller[]) => void;
  /** Whether signals arrive. */
  connected: (connected: boolean) => void;
}

/** Redis answers within this time even without a signal; a second later it counts as down. */
const BLOCK_MS = 1_000;
const TIMEOUT_MS = 2_000;
const RETRY_DELAY_MS = 250;
/** Maximum entries per stream and read. */
const COUNT = 1_000;
/** Pause after a batch of changed orders, because each batch is a write to every stream. */
const PAUSE_MS = 20;
const BEGINNING = '0-0';
/** Time before the end of a stream from which its entries are read again after it lost some: more than a replica lags behind. */
const REREAD_MS = 60_000;

type Batch = [key: string, entries: [id: string, fields: string[]][]][];

/** Redis connection for reading signals alone, because reading blocks it. */
export const connectSignals = (url: string, logger: Logger): Redis =>
  connectRedis(url, {
    logger,
    onError: 'Redis does not answer; live streams ask the services instead',
    timeoutMs: TIMEOUT_MS,
    pipelined: false,
    scripts: {},
  });

/** Reads the signals in Redis from the moment it starts; after a reconnect it continues at its last position. */
export class SignalReader {
  /** Id of the last entry read, by stream. */
  private readonly positions = new Map<string, string>();
  private stopped = false;

  constructor(
    private readonly redis: Redis,
    private readonly listeners: Listeners,
  ) {}

  start(): void {
    void this.read();
  }

  /** Disconnects, which ends a read that waits for a signal. */
  stop(): void {
    this.stopped = true;
    this.redis.disconnect();
  }

  private async read(): Promise<void> {
    let isPositioned = false;
    while (!this.stopped) {
      try {
        if (!isPositioned) await this.restorePositions();
        isPositioned = true;
        const batch = await this.next();
        this.listeners.connected(true);
        if (this.dispatch(batch)) await delay(PAUSE_MS);
      } catch {
        isPositioned = false;
        this.listeners.connected(false);
        await delay(RETRY_DELAY_MS, undefined, { ref: false });
      }
    }
  }

  // A stream that ends before the last position lost entries, and its last ones may be new. Not all of them are read again: a replica
  // that became the primary has the old ones too, which are too much at once for slow clients.
  private async restorePositions(): Promise<void> {
    // A command that cannot be sent would leave its timer behind.
    if (this.redis.status !== 'ready') throw new RedisUnavailableError();
    for (const { key } of [SIGNALS.orders, SIGNALS.inboxes]) {
      const [last] = await this.redis.xrevrange(key, '+', '-', 'COUNT', 1);
      const end = last?.[0] ?? BEGINNING;
      const position = this.positions.get(key) ?? end;
      const restart = `${Math.max(0, Number.parseInt(end, 10) - REREAD_MS)}-0`;
      this.positions.set(key, isBefore(end, position) ? restart : position);
    }
  }

  private async next(): Promise<Batch> {
    const keys = [...this.positions.keys()];
    const answer = await this.redis.xread(
      'COUNT',
      COUNT,
      'BLOCK',
      BLOCK_MS,
      'STREAMS',
      ...keys,
      ...this.positions.values(),
    );
    return (answer ?? []) as Batch;
  }

  /** Returns whether orders changed. */
  private dispatch(batch: Batch): boolean {
    let changed = false;
    for (const [key, entries] of batch) {
      const last = entries.at(-1)?.[0];
      if (last !== undefined) this.positions.set(key, last);
      const records = entries.map(([, fields]) => recordOf(fields));
      if (key === SIGNALS.inboxes.key) {
        this.listeners.inboxes(records.flatMap(({ users = '' }) => users.split(',')));
        this.listeners.callers(records.flatMap(seenCallerOf));
        this.listeners.messages(records.flatMap(postedMessageOf));
        this.listeners.deletions(records.flatMap(({ deleted = '' }) => deleted.split(',').filter(Boolean)));
      } else {
        this.listeners.orders(records.map(newerOrderOf));
        changed = true;
      }
    }
    return changed;
  }
}

/** Signals a caller to all gateways. Rejects if Redis does not accept it. */
export async function signalCaller(redis: Redis, { user, identity, issuedAt }: SeenCaller): Promise<void> {
  const { key, entries } = SIGNALS.inboxes;
  const fields = ['caller', user, 'identity', identity, 'issuedAt', issuedAt];
  await redis.xadd(key, 'MAXLEN', '~', entries, '*', ...fields);
}

const recordOf = (fields: readonly string[]): Record<string, string> =>
  Object.fromEntries(fields.flatMap((name, at) => (at % 2 === 0 ? [[name, fields[at + 1] ?? '']] : [])));

const seenCallerOf = ({ caller, identity, issuedAt }: Record<string, string>): SeenCaller[] =>
  caller !== undefined && identity !== undefined ? [{ user: caller, identity, issuedAt: Number(issuedAt) }] : [];

const postedMessageOf = ({ posted, poRef = '', vendorCode = '', internal }: Record<string, string>): PostedMessage[] =>
  posted === undefined ? [] : [{ message: { poRef, messageId: posted }, vendorCode, internal: internal !== undefined }];

const newerOrderOf = ({ poRef = '', version, statusId, vendorCode = '' }: Record<string, string>): NewerOrder => ({
  order: { poRef, version: Number(version), statusId: Number(statusId) },
  vendorCode,
});

/** Whether an entry's id (milliseconds and a number) is below another. */
function isBefore(id: string, other: string): boolean {
  const [[ms = 0, nth = 0], [otherMs = 0, otherNth = 0]] = [id, other].map((each) => each.split('-').map(Number)) as [
    number[],
    number[],
  ];
  return ms < otherMs || (ms === otherMs && nth < otherNth);
}
