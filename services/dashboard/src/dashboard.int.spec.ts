import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Controller, Module } from '@nestjs/common';
import { Ctx, MessagePattern } from '@nestjs/microservices';
import { type Activity, type Actor, GROUPS, type Kpis, PATTERNS, TOPICS, deadLetterTopic } from '@po/contracts';
import { type Reply, type RpcContext, ok } from '@po/messaging';
import { Breaker } from '@po/redis';
import { pino } from 'pino';
import { InMemoryKafka, type StartedService, startService } from '@po/messaging/testing';
import { actorKeys, actors } from '@po/testing/actors';
import { eventually } from '@po/testing/eventually';
import { SampleOrder, type SampleState, activitiesOf, sampleOrders, stateRecord } from './fixtures/order-states.js';
import { type TestRedis, testRedis } from './fixtures/redis.js';
import { redisUrl } from '@po/testing/stores';
import { TcpProxy } from '@po/testing/tcp-proxy';
import { AppModule } from './app.module.js';
import { type ProjectionRedis, connectProjection } from './projection/connection.js';
import { Counters } from './projection/counters.js';
import { keysUnder } from './projection/keys.js';
import { Rebuilder } from './rebuilding/rebuilder.js';
import { subscriptions } from './subscriptions.js';

const ZERO: Kpis = {
  new: 0,
  revision: 0,
  pending: 0,
  confirmed: 0,
  production: 0,
  shipped: 0,
  delivered: 0,
  cancelled: 0,
};
/** Answer of the order service, recognizable by its count. */
const FROM_SQL = { ...ZERO, new: 4711 };
const logger = pino({ level: 'silent' });

/** The order service's handlers for the two fallback queries. */
@Controller()
class PurchaseOrdersPeer {
  @MessagePattern(PATTERNS.statusCounts.type)
  statusCounts(): Reply {
    return ok(FROM_SQL);
  }

  @MessagePattern(PATTERNS.latestActivity.type)
  latestActivity(@Ctx() { actor, locale, requestId }: RpcContext): Reply {
    return ok([{ askedAs: actor.sub, locale, requestId }]);
  }
}

@Module({ controllers: [PurchaseOrdersPeer] })
class PurchaseOrdersModule {}

describe('the dashboard service', () => {
  let store: TestRedis;
  let proxy: TcpProxy;
  let redis: ProjectionRedis;
  let breaker: Breaker;
  let kafka: InMemoryKafka;
  let peer: StartedService;
  let service: StartedService;
  let rebuilder: Rebuilder;

  const ask = async <T>(pattern: (typeof PATTERNS)['kpis' | 'recentActivity'], actor: Actor): Promise<T> => {
    const response = await service.ask(pattern, {}, actor, { locale: 'zh' });
    expect(response.status).toBe(200);
    return JSON.parse(response.body.toString()) as T;
  };
  const kpis = (actor: Actor) => ask<Kpis>(PATTERNS.kpis, actor);
  const activity = (actor: Actor) => ask<Activity[]>(PATTERNS.recentActivity, actor);
  /** Waits for the projection: on a busy machine Redis may answer late, and the answers then come from SQL. */
  const countsBecome = (actor: Actor, counts: Kpis) =>
    eventually('the projection has these counts', async () => {
      expect(await kpis(actor)).toEqual(counts);
      return true;
    });
  const projected = (actor: Actor) =>
    eventually('the projection answers', async () => {
      const feed = await activity(actor);
      return !feed.some((entry) => 'askedAs' in entry) && feed;
    });
  const publish = (...states: SampleState[]) => kafka.producer().send(states.map(stateRecord));

  beforeEach(async () => {
    store = await testRedis();
    proxy = await TcpProxy.to(new URL(redisUrl()));
    kafka = new InMemoryKafka();
    const gatewayKeys = await actorKeys();
    const rpc = [{ group: GROUPS.queries, topic: TOPICS.queries, concurrency: 4 }];
    peer = await startService(PurchaseOrdersModule, { kafka, keys: gatewayKeys, rpc });
    // A Redis user for this test, so that the test can revoke its permissions.
    await store.redis.acl('SETUSER', store.prefix, 'on', 'nopass', '~*', '&*', '+@all');
    const url = `redis://${store.prefix}:-@${proxy.address}`;
    redis = connectProjection(url, logger, 150);
    const keys = keysUnder(store.prefix, `${store.prefix}:changed`);
    const counters = new Counters(redis, keys);
    breaker = new Breaker();
    rebuilder = new Rebuilder({
      kafka,
      group: GROUPS.dashboardEvents,
      counters,
      redis,
      connect: () => connectProjection(url, logger, 1_000),
      keys,
      breaker,
      logger,
      everyMs: 25,
      lockMs: 500,
    });
    const module = AppModule.register({ counters, breaker, purchaseOrders: peer.client });
    service = await startService(module, { kafka, keys: gatewayKeys, ...subscriptions() });
  });
  afterEach(async () => {
    await service.close();
    await rebuilder.stop();
    await peer.close();
    redis.disconnect();
    await proxy.close();
    await store.redis.acl('DELUSER', store.prefix);
    await store.close();
  });

  it('answers from the order service, as the caller, until the projection exists', async () => {
    await publish(...sampleOrders(3));
    expect(service.unhandled).toEqual([]);
    expect(await kpis(actors.buyer)).toEqual(FROM_SQL);
    expect(await activity(actors.acme)).toEqual([{ askedAs: actors.acme.sub, locale: 'zh', requestId: 'r-1' }]);
    rebuilder.start();
    await eventually('the projection answers', async () => (await kpis(actors.buyer)).new === 1);
    await countsBecome(actors.buyer, { ...ZERO, new: 1, revision: 1, pending: 1 });
  });

  it('counts live events and limits each vendor to its own orders', async () => {
    rebuilder.start();
    await eventually('the projection answers', async () => (await kpis(actors.buyer)).new === 0);
    const [acme, bolt] = [new SampleOrder('PO-A', 'ACME'), new SampleOrder('PO-B', 'BOLT')];
    await publish(acme.state(), bolt.state(), acme.moveTo(200), acme.moveTo(300), bolt.moveTo(200));
    await eventually('all is counted', async () => (await kpis(actors.buyer)).confirmed === 1);
    await countsBecome(actors.viewer, { ...ZERO, confirmed: 1, pending: 1 });
    await countsBecome(actors.acme, { ...ZERO, confirmed: 1 });
    await countsBecome(actors.bolt, { ...ZERO, pending: 1 });
    expect((await projected(actors.admin)).map(({ poRef, toStatusId }) => [poRef, toStatusId])).toEqual([
      ['PO-B', 200],
      ['PO-A', 300],
      ['PO-A', 200],
    ]);
    expect(await projected(actors.bolt)).toEqual(activitiesOf(bolt.state()));
  });

  it('dead-letters invalid order states and continues', async () => {
    rebuilder.start();
    await eventually('the projection answers', async () => (await kpis(actors.buyer)).new === 0);
    const order = new SampleOrder('PO-A', 'ACME');
    const record = stateRecord(order.moveTo(200));
    await kafka.producer().send([
      { ...record, value: null },
      { ...record, key: 'PO-B' },
      { ...record, value: '{"poRef":"PO-A"}' },
    ]);
    await publish(order.state());
    await eventually('the valid state is counted', async () => (await kpis(actors.buyer)).pending === 1);
    await eventually(
      'three records are dead-lettered',
      () => kafka.records(deadLetterTopic(GROUPS.dashboardEvents)).length === 3,
    );
    const reasons = kafka
      .records(deadLetterTopic(GROUPS.dashboardEvents))
      .map(({ headers }) => headers['x-dlq-reason']);
    expect(reasons.join()).toContain('the value is null');
    expect(reasons.join()).toContain("the key must be the order's poRef PO-A");
    await countsBecome(actors.buyer, { ...ZERO, pending: 1 });
  });

  for (const fault of ['cut', 'hang'] as const) {
    it(`answers from SQL while Redis is ${fault}, and loses no event`, async () => {
      rebuilder.start();
      const order = new SampleOrder('PO-A', 'ACME');
      await publish(order.moveTo(200));
      await eventually('the projection answers', async () => (await kpis(actors.buyer)).pending === 1);
      proxy[fault]();
      await publish(order.moveTo(300));
      expect(await kpis(actors.buyer)).toEqual(FROM_SQL);
      expect(await activity(actors.bolt)).toMatchObject([{ askedAs: actors.bolt.sub }]);
      // Further callers do not wait for Redis.
      for (let request = 0; request < 10; request += 1) {
        expect(breaker.isOpen).toBe(true);
        expect(await kpis(actors.buyer)).toEqual(FROM_SQL);
      }
      proxy.restore();
      await eventually('the event is counted', async () => (await kpis(actors.buyer)).confirmed === 1);
      await countsBecome(actors.acme, { ...ZERO, confirmed: 1 });
    });
  }

  it('answers from SQL while Redis rejects writes, like a full Redis or a replica, and loses no event', async () => {
    rebuilder.start();
    const order = new SampleOrder('PO-A', 'ACME');
    await publish(order.moveTo(200));
    await eventually('the projection answers', async () => (await kpis(actors.buyer)).pending === 1);
    await store.redis.acl('SETUSER', store.prefix, '-@write');
    await publish(order.moveTo(300));
    await expect(rebuilder.checkOnce()).rejects.toThrow('Redis does not answer');
    for (let request = 0; request < 10; request += 1) expect(await kpis(actors.buyer)).toEqual(FROM_SQL);
    await store.redis.acl('SETUSER', store.prefix, '+@write');
    await eventually('the event is counted', async () => (await kpis(actors.buyer)).confirmed === 1);
  });
});
