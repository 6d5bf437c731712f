import { type Actor, EVERYBODY, vendorScopeOf } from '@po/contracts';
import { userHash } from '@po/redis';
import { InboxFeed } from './inbox-feed.js';
import type { Inboxes } from './inboxes.js';

/** Between two questions for one inbox while Redis tells what moves: for what it could not tell. */
const ASK_EVERY_MS = 30_000;
/** And while it does not, or when a question failed. */
const ASK_OFTEN_MS = 1_500;
/** In one of these parts of that so many are asked at most: 500 a second. */
const TICKS = 6;
const ASKED_A_TICK = 125;

/** The feed of every user and role with an open stream. It is told what moves, and asks by itself for what nobody told. */
export class InboxFeeds {
  /** Those asked longest ago first. */
  private readonly feeds = new Set<InboxFeed>();
  private readonly ofUser = new Map<string, Map<string, InboxFeed>>();
  private readonly ticking: NodeJS.Timeout;
  /** What was asked before this time may be wrong. Performance clock. */
  private unsureSince = 0;
  private hears = false;

  constructor(
    private readonly inboxes: Inboxes,
    private readonly oftenMs = ASK_OFTEN_MS,
  ) {
    this.ticking = setInterval(() => this.tick(), oftenMs / TICKS).unref();
  }

  /** The feed for a stream of this caller, until `leave`. */
  enter(actor: Actor): InboxFeed {
    const user = userHash(actor.sub);
    const feeds = this.ofUser.get(user) ?? new Map<string, InboxFeed>();
    this.ofUser.set(user, feeds);
    const identity = identityOf(actor);
    const feed = feeds.get(identity) ?? new InboxFeed(actor, this.inboxes);
    feeds.set(identity, feed);
    this.feeds.add(feed);
    feed.users += 1;
    return feed;
  }

  leave(feed: InboxFeed): void {
    feed.users -= 1;
    if (feed.users > 0) return;
    this.feeds.delete(feed);
    const user = userHash(feed.actor.sub);
    const feeds = this.ofUser.get(user);
    feeds?.delete(identityOf(feed.actor));
    if (feeds?.size === 0) this.ofUser.delete(user);
  }

  /** Inboxes of these users moved: hashes, or EVERYBODY. */
  moved(users: readonly string[]): void {
    if (users.includes(EVERYBODY)) this.unsure();
    for (const user of users) for (const feed of this.ofUser.get(user)?.values() ?? []) feed.moved();
  }

  /** Whether Redis tells what moves, from now on. Answers whether that is new. */
  hear(hears: boolean): boolean {
    if (this.hears === hears) return false;
    this.hears = hears;
    if (hears) this.unsure();
    return true;
  }

  stop(): void {
    clearInterval(this.ticking);
  }

  private unsure(): void {
    this.unsureSince = performance.now();
    // Who is still told what it missed finds out by the count, and asks when it joins.
    for (const feed of this.feeds) feed.moves += 1;
  }

  private tick(): void {
    const now = performance.now();
    const retryBefore = now - this.oftenMs;
    const before = Math.max(this.unsureSince, this.hears ? now - ASK_EVERY_MS : retryBefore);
    let left = ASKED_A_TICK;
    for (const feed of this.feeds) {
      if (!feed.isDue(before, retryBefore)) continue;
      // To the end of the row: with thousands of them none is passed over.
      this.feeds.delete(feed);
      this.feeds.add(feed);
      feed.ask();
      left -= 1;
      if (left === 0) return;
    }
  }
}

/** What an inbox is of, beside its user. */
export const identityOf = (actor: Actor): string => `${actor.role} ${vendorScopeOf(actor) ?? ''}`;
