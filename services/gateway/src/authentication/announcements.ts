import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Actor, EVENT_TYPES, TOPICS, type UserSeen } from '@po/contracts';
import { type OutgoingRecord, type Publisher, cloudEventHeaders } from '@po/messaging';
import { type Logger, backOffMs } from '@po/platform';
import { userHash } from '@po/redis';
import { LRUCache } from 'lru-cache';
import type { Caller } from '../http/request-context.js';

const REANNOUNCE_AFTER_MS = 6 * 3_600_000;
const MAX_REMEMBERED = 20_000;
const MAX_WAITING = 5_000;
const RETRY = { initialMs: 250, maxMs: 5_000 };

interface Call {
  actor: Actor;
  /** Epoch seconds of the token's `iat`. */
  issuedAt: number;
  /** Epoch milliseconds. */
  at: number;
}

/**
 * Announces callers to the user directory: once per user and process, again when a newer token has other claims, and every six hours, so
 * that an active user is never treated as inactive (USERS_FORGOTTEN_AFTER_DAYS of the notifications service). Requests do not wait for it;
 * while Kafka is unavailable it is retried.
 */
export class Announcements {
  /** Last announcement by user hash. */
  private readonly announced = new LRUCache<string, { claims: string; issuedAt: number; at: number }>({
    max: MAX_REMEMBERED,
  });
  private readonly waiting = new Map<string, Call>();
  private sending = false;
  private stopped = false;

  constructor(
    private readonly publisher: Pick<Publisher, 'send'>,
    private readonly logger: Logger,
  ) {}

  /** Queues an announcement if one is due. Returns whether one was queued. */
  announce({ actor, issuedAt }: Pick<Caller, 'actor' | 'issuedAt'>, now = Date.now()): boolean {
    const user = userHash(actor.sub);
    const claims = JSON.stringify(actor);
    const last = this.announced.get(user);
    if (last && issuedAt < last.issuedAt) return false;
    if (last?.claims === claims && now - last.at < REANNOUNCE_AFTER_MS) {
      last.issuedAt = issuedAt;
      return false;
    }
    // The queue is full. The user is not recorded as announced, so the next request tries again.
    if (this.waiting.size >= MAX_WAITING && !this.waiting.has(user)) return false;
    this.announced.set(user, { claims, issuedAt, at: now });
    this.waiting.set(user, { actor, issuedAt, at: now });
    if (!this.sending) void this.sendWaiting();
    return true;
  }

  /** Drops waiting announcements of deleted users (by hash); their next request is announced. */
  reset(users: readonly string[]): void {
    for (const user of users) {
      this.announced.delete(user);
      this.waiting.delete(user);
    }
  }

  /** Another gateway announced a newer token of these users: their next request with a token at least that new is announced. */
  announcedElsewhere(callers: readonly { user: string; issuedAt: number }[]): void {
    for (const { user, issuedAt } of callers) {
      const last = this.announced.get(user);
      if (last && last.issuedAt < issuedAt) Object.assign(last, { issuedAt, claims: '' });
    }
  }

  /** The deleted users are unknown: the next request of every user is announced. */
  resetAll(): void {
    this.announced.clear();
  }

  /** Ends the retries. */
  stop(): void {
    this.stopped = true;
  }

  private async sendWaiting(): Promise<void> {
    this.sending = true;
    for (let failures = 0; this.waiting.size > 0 && !this.stopped;) {
      const batch = [...this.waiting];
      const outcomes = await Promise.allSettled(batch.map(([, call]) => this.publisher.send(recordOf(call))));
      for (const [index, [user, call]] of batch.entries()) {
        const sent = outcomes[index]?.status === 'fulfilled';
        // Claims that changed during the send still need an announcement of their own, after this one.
        if (sent && this.waiting.get(user) === call) this.waiting.delete(user);
      }
      const failure = outcomes.find((outcome) => outcome.status === 'rejected');
      if (failure) {
        this.logger.warn({ err: failure.reason as unknown, users: this.waiting.size }, 'users could not be announced');
        failures += 1;
        await delay(backOffMs(failures, RETRY), undefined, { ref: false });
      }
    }
    this.sending = false;
  }
}

// `seenAt` is the time of the call: a record that is sent after a deletion must not look like a later call.
function recordOf({ actor, issuedAt, at }: Call): OutgoingRecord {
  const time = new Date(at).toISOString();
  const seen: UserSeen = { ...actor, seenAt: time, issuedAt: new Date(1000 * issuedAt).toISOString() };
  return {
    topic: TOPICS.users,
    key: actor.sub,
    value: JSON.stringify(seen),
    headers: cloudEventHeaders({
      id: randomUUID(),
      type: EVENT_TYPES.userSeen,
      source: '/gateway',
      subject: actor.sub,
      time,
    }),
  };
}
