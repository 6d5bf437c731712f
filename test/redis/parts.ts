import { GROUPS } from '@po/contracts';
import { type Logger, createLogger } from '@po/platform';
import { Breaker, userHash } from '@po/redis';
import { InMemoryKafka } from '../../libs/messaging/src/in-memory/in-memory-kafka.js';
import { connectProjection } from '../../services/dashboard/src/projection/connection.js';
import { Counters } from '../../services/dashboard/src/projection/counters.js';
import { keysUnder } from '../../services/dashboard/src/projection/keys.js';
import { rebuildProjection } from '../../services/dashboard/src/rebuilding/rebuild-projection.js';
import { Rebuilder } from '../../services/dashboard/src/rebuilding/rebuilder.js';
import { LeaseLimiter, connectLeases } from '../../services/gateway/src/admission/lease-limiter.js';
import { SharedWindows, connectWindows } from '../../services/gateway/src/rate-limit/shared-windows.js';
import type { NewerOrder } from '../../services/gateway/src/stream/order-audiences.js';
import { SignalReader, signalCaller } from '../../services/gateway/src/stream/signal-reader.js';
import { STREAMS } from '../../services/gateway/src/stream/streams.js';
import { connectInboxSignals } from '../../services/notifications/src/inbox/inbox-signals.js';
import { at } from '../../services/dashboard/src/fixtures/counting.js';
import { eventually } from '@po/testing/eventually';
import { SampleOrder, sampleOrders, stateRecord } from '../../services/dashboard/src/fixtures/order-states.js';

export type Part = 'gateway' | 'notifications' | 'dashboard';

/** So many that feeds are trimmed. */
const ORDERS = 96;
/** Longer than a gateway waits, which a busy machine may need for every answer. */
const TIMEOUT_MS = 1_000;
const PLACES = 5;

/** All that services do with Redis, by their own code, over one Redis as each of them reaches it. */
export class Parts {
  /** What was logged. */
  readonly lines: string[] = [];
  private readonly logger: Logger = createLogger('parts', 'debug', { write: (line) => void this.lines.push(line) });
  private readonly kafka = new InMemoryKafka();
  private readonly windowsRedis;
  private readonly windows;
  private readonly leasesRedis;
  private readonly places;
  private readonly signals;
  private readonly telling;
  private readonly projection;
  private readonly counters;
  private readonly rebuilder;
  private readonly orders: NewerOrder['order'][] = [];
  private readonly users: string[] = [];
  private readonly deleted: string[] = [];
  private readonly callers: string[] = [];
  private rounds = 0;

  constructor(urls: Record<Part, string>) {
    const { logger } = this;
    this.windowsRedis = connectWindows(urls.gateway, logger, TIMEOUT_MS);
    this.windows = new SharedWindows(this.windowsRedis, 60_000);
    this.leasesRedis = connectLeases(urls.gateway, logger);
    this.places = new LeaseLimiter(this.leasesRedis, STREAMS);
    this.signals = new SignalReader(urls.gateway, logger, {
      orders: (newer) => void this.orders.push(...newer.map(({ order }) => order)),
      messages: () => undefined,
      inboxes: (users) => void this.users.push(...users),
      deletions: (users) => void this.deleted.push(...users),
      callers: (callers) => void this.callers.push(...callers.map(({ user }) => user)),
      connected: () => undefined,
    });
    this.telling = connectInboxSignals(urls.notifications, logger);
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

  /** The projection is there, counted from the topic. */
  async start(): Promise<void> {
    this.signals.start();
    await this.kafka.producer().send(sampleOrders(ORDERS).map(stateRecord));
    this.rebuilder.start();
    await eventually('the projection is built', async () => (await this.total()) === ORDERS);
  }

  /** Everything works by now, each part with the others. */
  async work(): Promise<void> {
    this.rounds += 1;
    const user = `user-${this.rounds}`;
    await eventually('requests are counted by all gateways together', async () => {
      const count = await this.windows.take(`rate:read:${userHash(user)}`, { requests: 2, limit: 4 });
      return count !== null && count.count > 4;
    });
    await eventually('places of streams are counted by all gateways together', () => this.fillPlaces(user));
    await this.hears('an inbox that moved', () => {
      this.telling.signals.signal([user]);
      return this.users.includes(userHash(user));
    });
    await this.hears('a user who was deleted', () => {
      this.telling.signals.signalDeleted(user);
      return this.deleted.includes(userHash(user));
    });
    await this.hears('a user who called another gateway', async () => {
      await signalCaller(this.leasesRedis, { user: userHash(user), identity: 'BUYER', issuedAt: 1 });
      return this.callers.includes(userHash(user));
    });
    const order = new SampleOrder(`PO-ROUND-${this.rounds}`, 'ACME');
    const state = order.moveTo(200);
    await this.kafka.producer().send([stateRecord(state)]);
    await this.hears('a changed order', async () => {
      await this.counters.apply(at(1_000 + this.rounds), state);
      return this.orders.some(({ poRef }) => poRef === state.poRef);
    });
    await eventually('it is counted', async () => (await this.total()) === ORDERS + this.rounds);
    await eventually('it is in the feed', async () =>
      ((await this.counters.recentActivity('ACME')) ?? '').includes(state.poRef),
    );
  }

  /** Requests of so many users are counted by all gateways together. */
  async count(users: number): Promise<void> {
    const keys = Array.from({ length: users }, (_, user) => `rate:write:${userHash(`one-of-many-${user}`)}`);
    await eventually('they are counted', async () => {
      const counts = await Promise.all(keys.map((key) => this.windows.take(key, { requests: 1, limit: 1 })));
      return counts.every((count) => count !== null && count.count > 1);
    });
  }

  /** The repair command, while the dashboard runs. */
  async rebuild(): Promise<void> {
    const { discarded, generation } = await rebuildProjection(this.counters, 60_000);
    if (discarded === generation) throw new Error('nothing was rebuilt');
    await eventually('all are counted again', async () => (await this.total()) === ORDERS + this.rounds);
  }

  async stop(): Promise<void> {
    this.signals.stop();
    this.telling.close();
    await this.rebuilder.stop();
    await this.places.close();
    this.leasesRedis.disconnect();
    this.projection.disconnect();
    this.windowsRedis.disconnect();
  }

  private async total(): Promise<number | null> {
    const kpis = await this.counters.kpis(null);
    return kpis && Object.values(kpis).reduce((sum, count) => sum + count, 0);
  }

  /** While Redis is away a gateway gives them by itself, and nobody else's count. */
  private async fillPlaces(user: string): Promise<boolean> {
    const other = new LeaseLimiter(this.leasesRedis, STREAMS);
    const taken: (() => void)[] = [];
    try {
      for (let place = 0; place < PLACES; place += 1) taken.push(await this.places.take(user));
      return await other.take(user).then(
        (giveBack) => {
          taken.push(giveBack);
          return false;
        },
        ({ code }: { code: string }) => code === 'TOO_MANY_STREAMS',
      );
    } finally {
      for (const giveBack of taken) giveBack();
    }
  }

  private hears(what: string, say: () => boolean | Promise<boolean>): Promise<true> {
    return eventually(`the gateway hears of ${what}`, say);
  }
}
