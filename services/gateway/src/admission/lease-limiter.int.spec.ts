import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { userHash } from '@po/redis';
import { pino } from 'pino';
import { eventually } from '@po/testing/eventually';
import { redisUrl } from '@po/testing/stores';
import { TcpProxy } from '@po/testing/tcp-proxy';
import { LeaseLimiter, type LeaseOptions, connectLeases } from './lease-limiter.js';

const LEASE_MS = 2_000;
const STREAMS: LeaseOptions = {
  name: 'streams',
  limit: 5,
  code: 'TOO_MANY_STREAMS',
  onRefused: () => undefined,
};
/** Redis timeout for the tests in which Redis does not reply. */
const WAIT_MS = 250;

describe('stream leases', () => {
  let proxy: TcpProxy;
  let gateways: { redis: ReturnType<typeof connectLeases>; places: LeaseLimiter }[];
  let user: string;

  beforeEach(async () => {
    user = randomUUID();
    proxy = await TcpProxy.to(new URL(redisUrl()));
    gateways = [];
  });
  afterEach(async () => {
    await Promise.all(gateways.map(({ places }) => places.close()));
    for (const { redis } of gateways) redis.disconnect();
    await proxy.close();
  });

  /** The long default timeout keeps the gateways on a busy machine from counting locally. */
  const start = async (leaseMs = LEASE_MS, timeoutMs = 10_000) => {
    gateways = [0, 1].map(() => {
      const redis = connectLeases(`redis://${proxy.address}`, pino({ level: 'silent' }), timeoutMs);
      return { redis, places: new LeaseLimiter(redis, STREAMS, leaseMs) };
    });
    await eventually('Redis is connected', () => gateways.every(({ redis }) => redis.status === 'ready'));
  };
  const take = (gateway: number, lease?: string) =>
    (gateways[gateway] as (typeof gateways)[0]).places.take(user, lease);
  const refusal = { code: 'TOO_MANY_STREAMS', members: {}, options: { hidden: { limit: 5 } } };
  const isFree = (gateway: number) =>
    eventually('a lease is free', () =>
      take(gateway).then(
        (release) => release,
        () => false as const,
      ),
    );

  it('are limited to five per user over all gateways, and free as soon as they are released', async () => {
    await start(60_000);
    const taken = await Promise.all([0, 1, 0, 1, 0].map((gateway) => take(gateway)));
    for (const gateway of [0, 1]) await expect(take(gateway)).rejects.toMatchObject(refusal);
    taken[0]?.();
    await isFree(1);
    await expect(take(0)).rejects.toMatchObject(refusal);
  });

  it('are free for another gateway once the gateway that released them has stopped', async () => {
    await start(60_000);
    const taken = await Promise.all([0, 0, 0, 0, 0].map((gateway) => take(gateway)));
    await expect(take(1)).rejects.toMatchObject(refusal);
    for (const release of taken) release();
    await gateways[0]?.places.close();
    gateways[0]?.redis.disconnect();
    expect(await Promise.all([1, 1, 1, 1, 1].map((gateway) => take(gateway)))).toHaveLength(5);
  });

  it('count once however often they are taken, at any gateway, and are free once all holders have released them', async () => {
    await start(60_000);
    const lease = randomUUID();
    for (const gateway of [0, 1, 0, 1]) await take(gateway);
    const held = [await take(0, lease), await take(0, lease)];
    await expect(take(0)).rejects.toMatchObject(refusal);
    held.push(await take(1, lease), await take(1, lease));
    for (const gateway of [0, 1]) {
      held[2 * gateway]?.();
      await expect(take(gateway)).rejects.toMatchObject(refusal);
    }
    held[1]?.();
    held[3]?.();
    await isFree(1);
    await expect(take(0, lease)).rejects.toMatchObject(refusal);
  });

  it('of one user are not taken over by another', async () => {
    await start(60_000);
    const lease = randomUUID();
    for (const gateway of [0, 1, 0, 1]) await take(gateway);
    await take(0, lease);
    const owner = user;
    user = randomUUID();
    (await take(1, lease))();
    user = owner;
    await expect(take(1)).rejects.toMatchObject(refusal);
    await take(1, lease);
  });

  it('never exceed five, however many are requested at the same time', async () => {
    await start();
    const outcomes = await Promise.allSettled(Array.from({ length: 40 }, (_, nth) => take(nth % 2)));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
  });

  it('stay taken while their gateway lives, and expire after it dies', async () => {
    await start();
    for (const gateway of [0, 0, 0, 0, 1]) await take(gateway);
    const key = `streams:${userHash(user)}`;
    const { redis } = gateways[1] as (typeof gateways)[0];
    const [, first = '0'] = await redis.zrange(key, '0', '0', 'WITHSCORES');
    await eventually('the lease is renewed', async () => {
      const [, score = '0'] = await redis.zrange(key, '0', '0', 'WITHSCORES');
      return Number(score) > Number(first);
    });
    await expect(take(1)).rejects.toMatchObject(refusal);
    gateways[0]?.redis.disconnect();
    await isFree(1);
    // The leases were taken at different times, so they expire at different times. Taking a lease removes the expired ones.
    await eventually('all expired leases are removed', async () => {
      (await take(1))();
      return (await redis.zcard(key)) === 2;
    });
  });

  it.each(['cut', 'hang'] as const)(
    'are counted per gateway during a Redis failure (%s), and over all gateways afterwards',
    async (fault) => {
      await start(LEASE_MS, WAIT_MS);
      proxy[fault]();
      for (const gateway of [0, 0, 0, 0, 0]) await take(gateway);
      await expect(take(0)).rejects.toMatchObject(refusal);
      await take(1);
      proxy.restore();
      await eventually('leases taken during the failure count', () =>
        take(1).then(
          (release) => release(),
          (error: { code: string }) => error.code === refusal.code,
        ),
      );
    },
  );
});
