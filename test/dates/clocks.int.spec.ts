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

// A store on another day would make a test on that day one of today. Kafka's broker refuses what was sent an hour ahead of its own clock.
it.each([
  ['PostgreSQL', ofPostgres],
  ['Redis', ofRedis],
])('%s lives on the same day as its clients', async (_store, clock) => {
  expect(Math.abs((await clock()) - Date.now())).toBeLessThan(NEAR_MS);
});
