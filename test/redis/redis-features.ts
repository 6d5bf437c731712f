import { GROUPS } from '@po/contracts';
import { type Logger, createLogger } from '@po/platform';
import { Breaker, userHash } from '@po/redis';
import { InMemoryKafka } from '../../libs/messaging/src/in-memory/in-memory-kafka.js';
import { connectProjection } from '../../services/dashboard/src/projection/connection.js';
import { Counters } from '../../services/dashboard/src/projection/counters.js';
import { keysUnder } from '../../services/dashboard/src/projection/keys.js';
import { requestRebuild } from '../../services/dashboard/src/rebuilding/request-rebuild.js';
import { Rebuilder } from '../../services/dashboard/src/rebuilding/rebuilder.js';
import { LeaseLimiter, connectLeases } from '../../services/gateway/src/admission/lease-limiter.js';
import { SharedWindows, connectWindows } from '../../services/gateway/src/rate-limit/shared-windows.js';
import type { NewerOrder } from '../../services/gateway/src/stream/order-audiences.js';
import { SignalReader, connectSignals, signalCaller } from '../../services/gateway/src/stream/signal-reader.js';
import { STREAMS } from '../../services/gateway/src/stream/streams.js';
import { connectInboxSignals } from '../../services/notifications/src/inbox/inbox-signals.js';
import { positionAt } from '../../services/dashboard/src/fixtures/counting.js';
import { eventually } from '@po/testing/eventually';
import { SampleOrder, sampleOrders, stateRecord } from '../../services/dashboard/src/fixtures/order-states.js';

export type RedisService = 'gateway' | 'notifications' | 'dashboard';

/** Enough orders for activity feeds to be trimmed. */
const ORDERS = 96;
/** Longer than the timeout of a gateway, because a busy machine may need that for every answer. */
const TIMEOUT_MS = 1_000;
const STREAMS_PER_USER = 5;

/** Every use of Redis by the services, with their own code. Each service reaches the same Redis by its own URL. */
export class RedisFeatures {
  /** Log lines. */
  readonly lines: string[] = [];
  private readonly logger: Logger = createLogger('parts', 'debug', { write: (line) => void this.lines.push(line) });
  private readonly kafka = new InMemoryKafka();
  private readonly windowsRedis;
  private readonly windows;
  private readonly leasesRedis;
  private readonly leases;
  private readonly signals;
  private readonly inboxSignals;
  private readonly projection;
  private readonly counters;
  private readonly rebuilder;
  private readonly orders: NewerOrder['order'][] = [];
  private readonly users: string[] = [];
  private readonly deleted: string[] = [];
  private readonly callers: string[] = [];
  private rounds = 0;

  constructor(urls: Record<RedisService, string>) {
    const { logger } = this;
    this.windowsRedis = connectWindows(urls.gateway, logger, TIMEOUT_MS);
    this.windows = new SharedWindows(this.windowsRedis, 60_000);
    this.leasesRedis = connectLeases(urls.gateway, logger);
    this.leases = new LeaseLimiter(this.leasesRedis, STREAMS);
    this.signals = new SignalReader(connectSignals(urls.gateway, logger), {
      orders: (newer) => void this.orders.push(...newer.map(({ order }) => order)),
      messages: () => undefined,
      inboxes: (users) => void this.users.push(...users),
      deletions: (users) => void this.deleted.push(...users),
      callers: (callers) => void this.callers.push(...callers.map(({ user }) => user)),
      connected: () => undefined,
    });
    this.inboxSignals = connectInboxSignals(urls.notifications, logger);
    const connect = () => connectProjection(urls.dashboard, logger, TIMEOUT_MS);
    this.projection = connect();
    const keys = keysUnder();
    this.counters = new Counters(this.projection, keys);
    this.rebuilder = new Rebuilder({
      kafka: this.kafka,
      group: GROUPS.dashboardEvents,
      counters: this.counters,
      redis: this.projection,
      connect,
      keys,
      breaker: new Breaker(),
      logger,
      everyMs: 100,
    });
  }

  /** Starts the services and waits until the projection is built from the topic. */
  async start(): Promise<void> {
    this.signals.start();
    await this.kafka.producer().send(sampleOrders(ORDERS).map(stateRecord));
    this.rebuilder.start();
    await eventually('the projection is built', async () => (await this.total()) === ORDERS);
  }

  /** Waits until every use of Redis works, each service with the others. */
  async checkAll(): Promise<void> {
    this.rounds += 1;
    const user = `user-${this.rounds}`;
    await eventually('requests are counted for all gateways', async () => {
      const count = await this.windows.take(`rate:read:${userHash(user)}`, { requests: 2, limit: 4 });
      return count !== null && count.count > 4;
    });
    await eventually('open streams are counted for all gateways', () => this.sharesLeases(user));
    await this.receives('a changed inbox', () => {
      this.inboxSignals.signals.signal([user]);
      return this.users.includes(userHash(user));
    });
    await this.receives('a deleted user', () => {
      this.inboxSignals.signals.signalDeleted(user);
      return this.deleted.includes(userHash(user));
    });
    await this.receives('a user who called another gateway', async () => {
      await signalCaller(this.leasesRedis, { user: userHash(user), identity: 'BUYER', issuedAt: 1 });
      return this.callers.includes(userHash(user));
    });
    const order = new SampleOrder(`PO-ROUND-${this.rounds}`, 'ACME');
    const state = order.moveTo(200);
    await this.kafka.producer().send([stateRecord(state)]);
    await this.receives('a changed order', async () => {
      await this.counters.apply(positionAt(1_000 + this.rounds), state);
      return this.orders.some(({ poRef }) => poRef === state.poRef);
    });
    await eventually('the changed order is counted', async () => (await this.total()) === ORDERS + this.rounds);
    await eventually('the changed order is in the feed', async () =>
      ((await this.counters.recentActivity('ACME')) ?? '').includes(state.poRef),
    );
  }

  /** Waits until the requests of this number of users are counted in Redis. */
  async count(users: number): Promise<void> {
    const keys = Array.from({ length: users }, (_, user) => `rate:write:${userHash(`one-of-many-${user}`)}`);
    await eventually('the requests are counted', async () => {
      const counts = await Promise.all(keys.map((key) => this.windows.take(key, { requests: 1, limit: 1 })));
      return counts.every((count) => count !== null && count.count > 1);
    });
  }

  /** Runs the repair command while the dashboard runs. */
  async rebuild(): Promise<void> {
    const { discarded, generation } = await requestRebuild(this.counters, 60_000);
    if (discarded === generation) throw new Error('nothing was rebuilt');
    await eventually('all orders are counted again', async () => (await this.total()) === ORDERS + this.rounds);
  }

  async stop(): Promise<void> {
    this.signals.stop();
    this.inboxSignals.close();
    await this.rebuilder.stop();
    await this.leases.close();
    this.leasesRedis.disconnect();
    this.projection.disconnect();
    this.windowsRedis.disconnect();
  }

  private async total(): Promise<number | null> {
    const kpis = await this.counters.kpis(null);
    return kpis && Object.values(kpis).reduce((sum, count) => sum + count, 0);
  }

  /** Whether a second gateway refuses a stream when the first has taken all. Without Redis, each gateway counts only its own streams. */
  private async sharesLeases(user: string): Promise<boolean> {
    const other = new LeaseLimiter(this.leasesRedis, STREAMS);
    const taken: (() => void)[] = [];
    try {
      for (let stream = 0; stream < STREAMS_PER_USER; stream += 1) taken.push(await this.leases.take(user));
      return await other.take(user).then(
        (release) => {
          taken.push(release);
          return false;
        },
        ({ code }: { code: string }) => code === 'TOO_MANY_STREAMS',
      );
    } finally {
      for (const release of taken) release();
    }
  }

  private receives(what: string, signal: () => boolean | Promise<boolean>): Promise<true> {
    return eventually(`the gateway receives the signal of ${what}`, signal);
  }
}
