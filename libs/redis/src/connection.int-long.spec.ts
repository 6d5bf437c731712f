import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { eventually } from '@po/testing/eventually';
import { redisUrl } from '@po/testing/stores';
import { TcpProxy } from '@po/testing/tcp-proxy';
import { type Scripts, connectRedis, waitUntilConnected } from './connection.js';

const SCRIPTS = { add: { numberOfKeys: 1, lua: `return redis.call('INCRBY', KEYS[1], ARGV[1])` } } satisfies Scripts;
const logger = pino({ level: 'silent' });

for (const pipelined of [true, false]) {
  describe(`a ${pipelined ? 'pipelined' : 'plain'} connection`, () => {
    let proxy: TcpProxy;
    let redis: ReturnType<typeof connectRedis<typeof SCRIPTS>>;
    let key: string;

    const add = (times: number) => Promise.all(Array.from({ length: times }, () => redis.add(key, 1)));

    beforeEach(async () => {
      key = `test-${randomUUID()}`;
      proxy = await TcpProxy.to(new URL(redisUrl()));
      const url = `redis://${proxy.address}`;
      redis = connectRedis(url, { logger, onError: 'Redis', timeoutMs: 2_000, pipelined, scripts: SCRIPTS });
      await waitUntilConnected(redis, AbortSignal.timeout(20_000));
    });
    afterEach(async () => {
      await redis.del(key);
      redis.disconnect();
      await proxy.close();
    });

    it('runs scripts, even if Redis has flushed them', async () => {
      expect(await add(3)).toEqual([1, 2, 3]);
      await redis.script('FLUSH');
      expect(new Set(await add(3))).toEqual(new Set([4, 5, 6]));
      await redis.script('FLUSH');
      expect(await add(1)).toEqual([7]);
    });

    it('rejects commands while Redis is unavailable and runs scripts over the next connection', async () => {
      await add(1);
      proxy.cut();
      await eventually('the connection is lost', () => redis.status !== 'ready');
      await expect(redis.add(key, 1)).rejects.toThrow('enableOfflineQueue options is false');
      proxy.restore();
      await eventually('the connection is ready again', () => redis.status === 'ready');
      await redis.script('FLUSH');
      expect(await add(2)).toEqual([2, 3]);
    });

    it('reconnects to the new Redis at its address if the old one vanished without a reset', async () => {
      await add(1);
      proxy.moveTo(new URL(redisUrl()));
      await expect(redis.add(key, 1)).rejects.toThrow('Command timed out');
      await eventually('commands are answered again', async () => (await add(1)).length === 1);
    });

    it('rejects commands that are not answered in time', async () => {
      await add(1);
      proxy.hang();
      await expect(redis.add(key, 1)).rejects.toThrow('Command timed out');
      proxy.restore();
    });
  });
}

it('a connection uses no other database if the one in the URL cannot be selected', async () => {
  const url = new URL(redisUrl());
  url.pathname = '/99999';
  const redis = connectRedis(url.href, {
    logger,
    onError: 'Redis',
    timeoutMs: 5_000,
    pipelined: true,
    scripts: SCRIPTS,
  });
  const keys: string[] = [];
  redis.on('ready', () => keys.push('ready'));
  await expect(waitUntilConnected(redis, AbortSignal.timeout(20_000))).rejects.toThrow('DB index is out of range');
  await expect(redis.set(`test-${randomUUID()}`, 1)).rejects.toBeInstanceOf(Error);
  // Checked twice, because the connection retries as for an absent Redis.
  await expect(waitUntilConnected(redis, AbortSignal.timeout(20_000))).rejects.toThrow('DB index is out of range');
  redis.disconnect();
  expect(keys).toEqual([]);
});
