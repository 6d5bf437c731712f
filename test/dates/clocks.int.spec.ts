import { expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { databaseUrl, redisUrl } from '@po/testing/stores';
import { rowsOf } from '../support/rows.js';

const NEAR_MS = 60_000;

const ofPostgres = async (): Promise<number> => {
  const rows = await rowsOf<{ ms: string }>(databaseUrl(), 'SELECT extract(epoch FROM now()) * 1000 AS ms');
  return Number(rows[0]?.ms);
};
const ofRedis = async (): Promise<number> => {
  const redis = new Redis(redisUrl());
  const [seconds] = await redis.time();
  redis.disconnect();
  return Number(seconds) * 1000;
};

// A store with the real date would spoil a test on another day. Kafka needs no check: brokers refuse records an hour ahead of them.
it.each([
  ['PostgreSQL', ofPostgres],
  ['Redis', ofRedis],
])('the clock of %s differs by less than a minute from the clock of its clients', async (_store, clock) => {
  expect(Math.abs((await clock()) - Date.now())).toBeLessThan(NEAR_MS);
});
