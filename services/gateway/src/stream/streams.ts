import { setTimeout as delay } from 'node:timers/promises';
import { vendorScopeOf } from '@po/contracts';
import { type RpcReply, unavailable } from '@po/messaging';
import type { Logger } from '@po/platform';
import { userHash } from '@po/redis';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Redis } from 'ioredis';
import { LeaseLimiter, type LeaseOptions, type LeasesRedis } from '../admission/lease-limiter.js';
import type { Announcements } from '../authentication/announcements.js';
import { type Caller, callerOf } from '../http/request-context.js';
import { endRequestSpan } from '../http/request-span.js';
import type { Upstream } from '../routes/upstream.js';
import { Client } from './client.js';
import { Connection, type ConnectionTimes, beginStream } from './connection.js';
import type { InboxFeed } from './inbox-feed.js';
import { InboxFeeds, identityOf } from './inbox-feeds.js';
import { Inboxes, type Page } from './inboxes.js';
import { streamsEnded, streamsOpen, streamsRefused } from './metrics.js';
import { OrderAudiences } from './order-audiences.js';
import { type SeenCaller, SignalReader, signalCaller } from './signal-reader.js';

const RETRY_MS = 1_000;
/** Limit on the open streams of a user, over all gateways. */
export const STREAMS: LeaseOptions = {
  name: 'streams',
  limit: 5,
  code: 'TOO_MANY_STREAMS',
  onRefused: () => streamsRefused.inc(),
};

/** Milliseconds; each has a default. */
export interface StreamTiming extends ConnectionTimes {
  /** Poll interval of an inbox while no signals arrive. */
  pollMs?: number;
}

/** All live streams that are open at this gateway, and their sources of events. */
export class Streams {
  private readonly open = new Map<Connection, Opener>();
  /** Open connections by the user's hash. */
  private readonly ofUser = new Map<string, Set<Connection>>();
  private readonly inboxes: Inboxes;
  private readonly leases: LeaseLimiter;
  private readonly feeds: InboxFeeds;
  private readonly audiences = new OrderAudiences();
  private readonly signals: SignalReader;
  private closing = false;
  private signalRefused = false;

  constructor(
    private readonly redis: { leases: LeasesRedis; signals: Redis },
    upstream: Upstream,
    private readonly logger: Logger,
    users: Pick<Announcements, 'reset' | 'resetAll' | 'announcedElsewhere'>,
    private readonly timing: StreamTiming = {},
  ) {
    this.inboxes = new Inboxes(upstream);
    this.feeds = new InboxFeeds(this.inboxes, timing.pollMs);
    this.leases = new LeaseLimiter(redis.leases, STREAMS);
    this.signals = new SignalReader(redis.signals, {
      orders: (newer) => this.audiences.notify(newer),
      messages: (posted) => this.audiences.posted(posted),
      inboxes: (users) => this.feeds.changed(users),
      deletions: (deleted) => users.reset(deleted),
      callers: (callers) => {
        users.announcedElsewhere(callers);
        callers.forEach((caller) => this.endOlder(caller));
      },
      connected: (connected) => {
        // Signals may have been lost in between.
        if (this.feeds.setConnected(connected) && connected) users.resetAll();
      },
    });
  }

  /** Starts to read signals. */
  start(): void {
    this.signals.start();
  }

  /**
   * Opens a stream that begins after this notification, or now if null, and ends the open stream of the same client of the user. Returns the
   * service's refusal if there is one. Throws TOO_MANY_STREAMS, or UNAVAILABLE once this gateway is stopping.
   */
  async begin(
    request: FastifyRequest,
    reply: FastifyReply,
    after: string | null,
    clientId?: string,
  ): Promise<RpcReply | null> {
    this.refuseWhenClosing();
    const { actor } = callerOf(request);
    const releaseLease = await this.leases.take(actor.sub, clientId);
    const feed = this.feeds.acquire(actor);
    const release = () => {
      this.feeds.release(feed);
      releaseLease();
    };
    try {
      const { signals } = feed;
      const page = await this.inboxes.open(request, after);
      this.refuseWhenClosing();
      if ('status' in page) {
        release();
        return page;
      }
      this.stream({ request, reply, clientId, feed, page, signals, release });
      return null;
    } catch (error) {
      release();
      throw error;
    }
  }

  /** Ends streams of the user in another role, or for another vendor, that were opened with an older token. */
  seen(caller: Caller): void {
    if (this.open.size > 0) this.endOlder(seenCaller(caller));
  }

  /** Signals the caller to other gateways. Without Redis they do not learn of it, and a stream there ends after 15 minutes. */
  signalOtherGateways(caller: Caller): void {
    signalCaller(this.redis.leases, seenCaller(caller)).then(
      () => {
        this.signalRefused = false;
      },
      (error: Error) => {
        // The connection logs its own errors.
        if (error.name !== 'ReplyError') return;
        if (!this.signalRefused) this.logger.warn({ err: error }, 'Redis refuses to signal callers to other gateways');
        this.signalRefused = true;
      },
    );
  }

  /** Ends streams whose token would be refused now. */
  keysChanged(): void {
    for (const [connection, opener] of this.open) void endIfRefused(connection, opener);
  }

  /** Sends every client the end of its stream and waits until the connections are closed. */
  async close(): Promise<void> {
    this.closing = true;
    this.signals.stop();
    this.feeds.stop();
    const ended = [...this.open.keys()].map((connection) => {
      connection.end('shutdown');
      return connection.closed;
    });
    await Promise.all(ended);
    await this.leases.close();
  }

  private endOlder({ user, identity, issuedAt }: SeenCaller): void {
    for (const connection of this.ofUser.get(user) ?? []) {
      const opener = this.open.get(connection);
      if (opener && opener.issuedAt < issuedAt && identityOf(opener.actor) !== identity)
        connection.end('token-expired', 'identity-changed');
    }
  }

  private refuseWhenClosing(): void {
    if (this.closing) throw unavailable(1);
  }

  private stream({ request, reply, clientId, feed, page, signals, release }: Beginning): void {
    if (reply.raw.destroyed) {
      reply.hijack();
      release();
      return;
    }
    const caller = callerOf(request);
    const { actor, expiresAt } = caller;
    request.context.streamsSince = performance.now();
    endRequestSpan(request, 200);
    const connection = new Connection(beginStream(reply), expiresAt, this.timing);
    const client = new Client(connection, actor);
    const vendorCode = vendorScopeOf(actor);
    const user = userHash(actor.sub);
    const ofUser = this.ofUser.get(user) ?? new Set<Connection>();
    // The client left its old stream, but a lost network does not tell.
    for (const old of ofUser) if (clientId && this.open.get(old)?.clientId === clientId) old.destroy();
    this.ofUser.set(user, ofUser.add(connection));
    this.open.set(connection, { ...caller, clientId });
    // The key may have been removed while the stream was being opened.
    void endIfRefused(connection, caller);
    this.audiences.add(vendorCode, client);
    streamsOpen.inc();
    void connection.closed.then(() => {
      this.open.delete(connection);
      ofUser.delete(connection);
      if (ofUser.size === 0 && this.ofUser.get(user) === ofUser) this.ofUser.delete(user);
      this.audiences.remove(vendorCode, client);
      feed.unsubscribe(client);
      release();
      streamsOpen.dec();
      streamsEnded.inc({ reason: connection.reason });
    });
    this.follow(client, feed, page, signals).catch((error: unknown) => {
      this.logger.error({ err: error, requestId: request.id }, 'a live stream failed');
      connection.destroy();
    });
  }

  // Sends what the client missed, page by page as it reads, and then subscribes it.
  private async follow(client: Client, feed: InboxFeed, first: Page, firstSignals: number): Promise<void> {
    await client.begin(first);
    for (let page = first, signals = firstSignals; client.connection.isOpen;) {
      if (!page.more && feed.subscribe(client, signals)) {
        client.goLive(page);
        return;
      }
      const signalsNow = feed.signals;
      const next = await this.inboxes.since(client.actor, client.at).catch(() => null);
      if (next) {
        await client.catchUp(next);
        [page, signals] = [next, signalsNow];
      } else await delay(RETRY_MS, undefined, { ref: false });
    }
  }
}

const seenCaller = ({ actor, issuedAt }: Caller): SeenCaller => ({
  user: userHash(actor.sub),
  identity: identityOf(actor),
  issuedAt,
});

async function endIfRefused(connection: Connection, { isRefused }: Caller): Promise<void> {
  if (await isRefused()) connection.end('token-expired', 'token-refused');
}

interface Opener extends Caller {
  clientId: string | undefined;
}

interface Beginning {
  request: FastifyRequest;
  reply: FastifyReply;
  clientId: string | undefined;
  feed: InboxFeed;
  /** The first page of what the client missed. */
  page: Page;
  /** The feed's count before that page was requested. */
  signals: number;
  /** Releases what the stream holds. */
  release: () => void;
}
