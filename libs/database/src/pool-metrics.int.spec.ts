import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createLogger, metricsRegistry } from '@po/platform';
import { eventually } from '@po/testing/eventually';
import { databaseUrl } from '@po/testing/stores';
import { Database } from './database.js';

const database = new Database({
  url: databaseUrl(),
  name: 'watched',
  poolSize: 2,
  logger: createLogger('test', 'silent'),
});
beforeAll(() => database.connect());
afterAll(() => database.close());

const metric = async (name: string, state = ''): Promise<number> => {
  const labels = `\\{pool="watched"${state && `,state="${state}"`}\\}`;
  return Number(new RegExp(`^${name}${labels} (\\S+)$`, 'm').exec(await metricsRegistry.metrics())?.[1]);
};
const connections = async () => [
  await metric('db_pool_connections', 'idle'),
  await metric('db_pool_connections', 'busy'),
  await metric('db_pool_connections', 'waiting'),
];

it('pool metrics report the state of a pool, and count only requests that waited for a connection', async () => {
  expect(await metric('db_pool_size')).toBe(2);
  await eventually('the first connection is idle', async () => (await connections())[0] === 1);
  expect(await connections()).toEqual([1, 0, 0]);

  const release = Promise.withResolvers<void>();
  let started = 0;
  const hold = () =>
    database.transaction(null, async () => {
      started += 1;
      await release.promise;
    });
  const held = [hold()];
  await eventually('one connection is taken', () => started === 1);
  held.push(hold());
  await eventually('both are taken', () => started === 2);
  expect(await connections()).toEqual([0, 2, 0]);
  expect([await metric('db_pool_waits_total'), await metric('db_pool_wait_seconds_total')]).toEqual([0, 0]);

  const late = [hold(), hold(), hold()];
  expect(await connections()).toEqual([0, 2, 3]);
  release.resolve();
  await Promise.all([...held, ...late]);
  expect(await metric('db_pool_waits_total')).toBe(3);
  expect(await metric('db_pool_wait_seconds_total')).toBeGreaterThan(0);
});
