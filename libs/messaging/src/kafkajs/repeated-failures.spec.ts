import { expect, it } from '@jest/globals';
import { pino } from 'pino';
import { eventually } from '@po/testing/eventually';
import type { Cluster } from './cluster/cluster.js';
import { Fetcher } from './fetching/fetcher.js';

it('repeated fetch failures are logged less and less often', async () => {
  const lines: { level: number; msg: string; failures: number }[] = [];
  const logger = pino(
    { level: 'info' },
    { write: (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[number]) },
  );
  let fetches = 0;
  const send = () => {
    fetches += 1;
    return Promise.reject(new Error('a batch cannot be decoded'));
  };
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
  await eventually('it was tried four times', () => fetches > 4);
  fetcher.stop();
  const failed = lines.filter(({ msg }) => msg === 'a fetch failed');
  const { info, warn } = pino.levels.values;
  expect(failed.slice(0, 3).map(({ failures, level }) => [failures, level])).toEqual([
    [1, info],
    [2, warn],
    [4, warn],
  ]);
});
