import { type Actor, ALL_USERS, vendorScopeOf } from '@po/contracts';
import { userHash } from '@po/redis';
import { InboxFeed } from './inbox-feed.js';
import type { Inboxes } from './inboxes.js';

/** Poll interval of an inbox while Redis signals changes, for signals that were lost. */
const POLL_MS = 30_000;
/** Poll interval without Redis, and after a failed request. */
const FAST_POLL_MS = 1_500;
/** Ticks in the fast interval, and requests per tick: at most 500 a second. */
const TICKS = 6;
const MAX_REQUESTS_PER_TICK = 125;

/** The feed of every user and role with an open stream. Signals trigger requests; polling covers lost signals. */
export class InboxFeeds {
  /** Ordered by the last request, oldest first. */
  private readonly feeds = new Set<InboxFeed>();
  private readonly ofUser = new Map<string, Map<string, InboxFeed>>();
  private readonly ticking: NodeJS.Timeout;
  /** Answers to requests before this time may be stale. Performance clock. */
  private staleBefore = 0;
  private connected = false;

  constructor(
    private readonly inboxes: Inboxes,
    private readonly fastPollMs = FAST_POLL_MS,
  ) {
    this.ticking = setInterval(() => this.tick(), fastPollMs / TICKS).unref();
  }

  /** The feed for a stream of this caller, until `release`. */
  acquire(actor: Actor): InboxFeed {
    const user = userHash(actor.sub);
    const feeds = this.ofUser.get(user) ?? new Map<string, InboxFeed>();
    this.ofUser.set(user, feeds);
    const identity = identityOf(actor);
    const feed = feeds.get(identity) ?? new InboxFeed(actor, this.inboxes);
    feeds.set(identity, feed);
    this.feeds.add(feed);
    feed.streams += 1;
    return feed;
  }

  release(feed: InboxFeed): void {
    feed.streams -= 1;
    if (feed.streams > 0) return;
    this.feeds.delete(feed);
    const user = userHash(feed.actor.sub);
    const feeds = this.ofUser.get(user);
    feeds?.delete(identityOf(feed.actor));
    if (feeds?.size === 0) this.ofUser.delete(user);
  }

  /** Handles the signal that inboxes of these users changed: hashes, or ALL_USERS. */
  changed(users: readonly string[]): void {
    if (users.includes(ALL_USERS)) this.markAllStale();
    for (const user of users) for (const feed of this.ofUser.get(user)?.values() ?? []) feed.changed();
  }

  /** Sets whether signals arrive. Returns whether that has changed. */
  setConnected(connected: boolean): boolean {
    if (this.connected === connected) return false;
    this.connected = connected;
    if (connected) this.markAllStale();
    return true;
  }

  stop(): void {
    clearInterval(this.ticking);
  }

  private markAllStale(): void {
    this.staleBefore = performance.now();
    // A stream that still catches up sees the count, and requests again when it subscribes.
    for (const feed of this.feeds) feed.signals += 1;
  }

  private tick(): void {
    const now = performance.now();
    const retryBefore = now - this.fastPollMs;
    const before = Math.max(this.staleBefore, this.connected ? now - POLL_MS : retryBefore);
    let left = MAX_REQUESTS_PER_TICK;
    for (const feed of this.feeds) {
      if (!feed.isDue(before, retryBefore)) continue;
      // Moved to the end, so that each of thousands gets its turn.
      this.feeds.delete(feed);
      this.feeds.add(feed);
      feed.refresh();
      left -= 1;
      if (left === 0) return;
    }
  }
}

/** Role and vendor: a user in another role or for another vendor has another inbox. */
export const identityOf = (actor: Actor): string => `${actor.role} ${vendorScopeOf(actor) ?? ''}`;
