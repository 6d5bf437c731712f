import { expect, it } from '@jest/globals';
import { pino } from 'pino';
import { eventually } from '@po/testing/eventually';
import type { Cluster } from './cluster/cluster.js';
import { Fetcher } from './fetching/fetcher.js';

/** Reads a partition by fetches that end so; `failed`: what was logged of those that failed. */
function read(send: () => Promise<never>) {
  const lines: { level: number; msg: string; failures: number }[] = [];
  const logger = pino(
    { level: 'info' },
    { write: (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[number]) },
  );
  const cluster = { leaderOf: () => 1, topicId: () => 'a', refresh: () => Promise.resolve(), node: () => ({ send }) };
  const fetcher = new Fetcher({
    cluster: cluster as unknown as Cluster,
    logger,
    from: 'earliest',
    onRecords: () => undefined,
    onReset: () => undefined,
  });
  const partition = { topic: 'things.v1', partition: 0 };
  fetcher.assign([partition]);
  fetcher.begin([{ ...partition, offset: 0n, origin: null }]);
  return { fetcher, failed: () => lines.filter(({ msg }) => msg === 'a fetch failed') };
}

it('repeated fetch failures are logged less and less often', async () => {
  let fetches = 0;
  const { fetcher, failed } = read(() => {
    fetches += 1;
    return Promise.reject(new Error('a batch cannot be decoded'));
  });
  await eventually('it was tried four times', () => fetches > 4);
  fetcher.stop();
  const { info, warn } = pino.levels.values;
  expect(
    failed()
      .slice(0, 3)
      .map(({ failures, level }) => [failures, level]),
  ).toEqual([
    [1, info],
    [2, warn],
    [4, warn],
  ]);
});

it('a fetch that ends because its consumer stops is no failure', async () => {
  const fetch = Promise.withResolvers<never>();
  let fetches = 0;
  const { fetcher, failed } = read(() => {
    fetches += 1;
    return fetch.promise;
  });
  await eventually('it fetches', () => fetches > 0);
  fetcher.stop();
  fetch.reject(new Error('the connection is being closed'));
  await fetch.promise.catch(() => undefined);
  await new Promise(setImmediate);
  expect(failed()).toEqual([]);
});
