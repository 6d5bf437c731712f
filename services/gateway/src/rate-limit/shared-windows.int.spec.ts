import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { eventually } from '@po/testing/eventually';
import { redisUrl } from '@po/testing/stores';
import { TcpProxy } from '@po/testing/tcp-proxy';
import { LocalWindows } from './local-windows.js';
import { RateLimits } from './rate-limits.js';
import { SharedWindows, connectWindows } from './shared-windows.js';

const silent = pino({ level: 'silent' });

/** Long, so that a busy machine does not change the counts. */
const PATIENT_MS = 10_000;
const ONE = { requests: 1, limit: 100 };

describe('SharedWindows', () => {
  let one: ReturnType<typeof connectWindows>;
  let two: typeof one;
  let key: string;

  beforeEach(async () => {
    key = `rate:test:${randomUUID()}`;
    const connect = () => connectWindows(redisUrl(), silent, PATIENT_MS);
    [one, two] = [connect(), connect()];
    await eventually('both connections are ready', () => one.status === 'ready' && two.status === 'ready');
  });
  afterEach(async () => {
    await one.del(key);
    for (const redis of [one, two]) redis.disconnect();
  });

  it('counts for all gateways together', async () => {
    const [a, b] = [new SharedWindows(one, 60_000), new SharedWindows(two, 60_000)];
    await Promise.all(Array.from({ length: 10 }, (_, index) => (index % 2 ? a : b).take(key, ONE)));
    const count = await a.take(key, ONE);
    expect(count?.count).toBe(11);
    expect(count?.endsInMs).toBeGreaterThan(50_000);
    expect(count?.endsInMs).toBeLessThanOrEqual(60_000);
  });

  it('counts several requests as a whole: if they would exceed the limit, none is counted', async () => {
    const windows = new SharedWindows(one, 60_000);
    const take = async (requests: number) => (await windows.take(key, { requests, limit: 10 }))?.count;
    expect([await take(7), await take(4), await take(3), await take(1)]).toEqual([7, 11, 10, 11]);
    expect(await one.get(key)).toBe('10');
  });

  it('starts again after the window has ended', async () => {
    const windows = new SharedWindows(one, 60_000);
    expect(await windows.take(key, ONE)).toMatchObject({ count: 1 });
    expect(await windows.take(key, ONE)).toMatchObject({ count: 2 });
    await one.pexpire(key, 1);
    await eventually('the window ended', async () => (await windows.take(key, ONE))?.count === 1);
  });

  it('gives a counter without an expiry a new one', async () => {
    const windows = new SharedWindows(one, 60_000);
    await one.set(key, '7');
    expect(await windows.take(key, ONE)).toEqual({ count: 8, endsInMs: 60_000 });
    expect(await one.pttl(key)).toBeGreaterThan(0);
  });

  it('returns null while Redis is unreachable, and counts again when it is back', async () => {
    const proxy = await TcpProxy.to(new URL(redisUrl()));
    const redis = connectWindows(`redis://${proxy.address}`, silent);
    try {
      await eventually('the connection is ready', () => redis.status === 'ready');
      const windows = new SharedWindows(redis, 60_000);
      proxy.cut();
      await eventually('the connection is lost', () => redis.status !== 'ready');
      expect(await windows.take(key, ONE)).toBeNull();
      proxy.restore();
      await eventually('requests are counted again', async () => (await windows.take(key, ONE)) !== null);
    } finally {
      redis.disconnect();
      await proxy.close();
    }
  });

  it('refuses the same user at every gateway, and stores no user id', async () => {
    const user = randomUUID();
    const limits = [one, two].map(
      (redis) =>
        new RateLimits(new SharedWindows(redis, 60_000), new LocalWindows(60_000), { read: 3, write: 3, export: 3 }),
    );
    for (const index of [0, 1, 0]) await limits[index]?.admit(user, 'write');
    for (const gateway of limits) {
      await expect(gateway.admit(user, 'write')).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    }
    await expect(limits[0]?.admit(user, 'read')).resolves.toBeUndefined();
    const left = await one.keys('rate:write:*');
    expect(left.some((name) => name.includes(user))).toBe(false);
  });
});
