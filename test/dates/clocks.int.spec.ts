import { expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import pg from 'pg';
import { databaseUrl, redisUrl } from '@po/testing/stores';

const NEAR_MS = 60_000;

const ofPostgres = async (): Promise<number> => {
  const client = new pg.Client({ connectionString: databaseUrl() });
  await client.connect();
  const { rows } = await client.query<{ ms: string }>('SELECT extract(epoch FROM now()) * 1000 AS ms');
  await client.end();
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
