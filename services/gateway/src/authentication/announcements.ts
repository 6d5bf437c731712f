import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Actor, EVENT_TYPES, TOPICS, type UserSeen } from '@po/contracts';
import { type OutgoingRecord, cloudEventHeaders } from '@po/messaging';
import { type Logger, pauseOf } from '@po/platform';
import { LRUCache } from 'lru-cache';

/** The part of a Publisher that announcing needs. */
interface Sender {
  send(record: OutgoingRecord): Promise<void>;
}

const AGAIN_AFTER_MS = 6 * 3_600_000;
const MAX_REMEMBERED = 20_000;
const MAX_WAITING = 5_000;
const RETRY = { firstMs: 250, lastMs: 5_000 };

/**
 * Tells the user directory who called: once per user and process, again when the claims change and every six hours. Nothing waits
 * for it; while Kafka is away it is retried.
 */
export class Announcements {
  private readonly announced = new LRUCache<string, { claims: string; at: number }>({ max: MAX_REMEMBERED });
  private readonly waiting = new Map<string, Actor>();
  private sending = false;
  private stopped = false;

  constructor(
    private readonly publisher: Sender,
    private readonly logger: Logger,
  ) {}

  /** Returns at once. */
  announce(actor: Actor, now = Date.now()): void {
    const claims = JSON.stringify(actor);
    const last = this.announced.get(actor.sub);
    if (last?.claims === claims && now - last.at < AGAIN_AFTER_MS) return;
    // Not remembered as announced: the user's next request brings them back.
    if (this.waiting.size >= MAX_WAITING && !this.waiting.has(actor.sub)) return;
    this.announced.set(actor.sub, { claims, at: now });
    this.waiting.set(actor.sub, actor);
    if (!this.sending) void this.sendWaiting();
  }

  /** No more retries. */
  stop(): void {
    this.stopped = true;
  }

  private async sendWaiting(): Promise<void> {
    this.sending = true;
    for (let failures = 0; this.waiting.size > 0 && !this.stopped;) {
      const batch = [...this.waiting.values()];
      const outcomes = await Promise.allSettled(batch.map((actor) => this.publisher.send(recordOf(actor))));
      for (const [index, actor] of batch.entries()) {
        const sent = outcomes[index]?.status === 'fulfilled';
        // Claims that changed meanwhile are still to be sent, after the older ones.
        if (sent && this.waiting.get(actor.sub) === actor) this.waiting.delete(actor.sub);
      }
      const failure = outcomes.find((outcome) => outcome.status === 'rejected');
      if (failure) {
        this.logger.warn({ err: failure.reason as unknown, users: this.waiting.size }, 'users could not be announced');
        failures += 1;
        await delay(pauseOf(failures, RETRY), undefined, { ref: false });
      }
    }
    this.sending = false;
  }
}

function recordOf(actor: Actor): OutgoingRecord {
  const time = new Date().toISOString();
  return {
    topic: TOPICS.users,
    key: actor.sub,
    value: JSON.stringify({ ...actor, seenAt: time } satisfies UserSeen),
    headers: cloudEventHeaders({
      id: randomUUID(),
      type: EVENT_TYPES.userSeen,
      source: '/gateway',
      subject: actor.sub,
      time,
    }),
  };
}
