import { afterEach, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { eventually } from '@po/testing/eventually';
import type { Cluster } from '../cluster/cluster.js';
import { Fetcher } from './fetcher.js';
import { API, CODE } from '../cluster/protocol.js';
import type { FetchResponse, FetchRequest, FetchedPartition } from '../cluster/versioned-apis.js';

const TOPIC = { topic: 'things.v1', topicId: 'a'.repeat(32) };

let fetcher: Fetcher;
/** The leaders of partitions 0 and 1. */
let leaders = [1, 1];

type Answer = Partial<FetchedPartition>;

/**
 * Fetches partitions 0 and 1, each answered by `answer`. `failed`: log lines of failed fetches; `logged`: all log lines. With `begins`,
 * no offset is committed, and `begins` answers the request for the start offset of each partition.
 */
function read(
  answer: (partition: number, from: bigint, epoch: number) => Answer | Promise<Answer>,
  begins?: (partition: number) => { errorCode: number; offset: string },
) {
  let refreshes = 0;
  const requests: { partition: number; from: bigint; epoch: number }[] = [];
  const resets: string[] = [];
  const lines: { level: number; msg: string; failures: number }[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[number]);
  const send = async (api: unknown, ask: FetchRequest): Promise<FetchResponse | object> => {
    await new Promise((resolve) => setImmediate(resolve));
    if (api === API.listOffsets) {
      const partitions = ask.topics[0]?.partitions.map(({ partition }) => ({ partition, ...begins?.(partition) }));
      return { responses: [{ topic: TOPIC.topic, partitions }] };
    }
    const answers = ask.topics.flatMap((topic) =>
      topic.partitions.map(async ({ partition, fetchOffset, lastFetchedEpoch }) => {
        requests.push({ partition, from: fetchOffset, epoch: lastFetchedEpoch });
        const nothing = {
          errorCode: CODE.none,
          highWatermark: 0n,
          lastStableOffset: 0n,
          aborted: [],
          diverging: null,
          batches: Buffer.alloc(0),
        };
        return { partition, ...nothing, ...(await answer(partition, fetchOffset, lastFetchedEpoch)) };
      }),
    );
    return { errorCode: CODE.none, topics: [{ topicId: TOPIC.topicId, partitions: await Promise.all(answers) }] };
  };
  const cluster = {
    leaderOf: (_topic: string, partition: number) => leaders[partition],
    topicId: () => TOPIC.topicId,
    refresh: () => {
      refreshes += 1;
      return new Promise((resolve) => setImmediate(resolve));
    },
    node: () => ({ send }),
    authorizationFailures: { note: () => undefined },
  };
  fetcher = new Fetcher({
    cluster: cluster as unknown as Cluster,
    logger: pino({ level: 'info' }, { write }),
    from: 'earliest',
    onRecords: () => undefined,
    onReset: ({ partition }) =>
      resets.push(`${partition} at ${String(fetcher.progress(TOPIC.topic, partition)?.position)}`),
  });
  const partitions = [0, 1].map((partition) => ({ topic: TOPIC.topic, partition }));
  fetcher.assign(partitions);
  const origin = { topicId: TOPIC.topicId, epoch: 4 };
  fetcher.begin(partitions.map((each) => ({ ...each, offset: begins ? -1n : 100n, origin })));
  return {
    requests,
    resets,
    refreshes: () => refreshes,
    failed: () => lines.filter(({ msg }) => msg === 'a fetch failed'),
    logged: () => lines.map((line) => JSON.stringify(line)),
  };
}

afterEach(() => {
  fetcher.stop();
  leaders = [1, 1];
});

it('the fetcher returns to the truncation offset of the leader epoch read last (KIP-320)', async () => {
  const { requests, resets } = read((partition, _from, epoch) =>
    partition === 0 && epoch === 4 ? { diverging: { epoch: 3, endOffset: 60n } } : {},
  );
  await eventually('it is read from there', () =>
    requests.some(({ partition, from }) => partition === 0 && from === 60n),
  );
  expect(resets).toEqual(['0 at 60']);
  expect(requests.filter(({ partition, from }) => partition === 0 && from === 60n)[0]?.epoch).toBe(3);
  expect(requests.every(({ partition, from }) => partition === 0 || from === 100n)).toBe(true);
});

it('the fetcher keeps its position when the log was truncated after it', async () => {
  const { requests, resets } = read((_partition, _from, epoch) =>
    epoch === 4 ? { diverging: { epoch: 3, endOffset: 150n } } : {},
  );
  await eventually(
    'both continue in the existing epoch',
    () => requests.filter(({ epoch }) => epoch === 3).length >= 2,
  );
  expect(requests.every(({ from }) => from === 100n)).toBe(true);
  expect(resets).toEqual([]);
});

it('the fetcher is at the end of a partition whose further records are in an open transaction', async () => {
  const { requests } = read(() => ({ highWatermark: 105n, lastStableOffset: 100n }));
  await eventually('both are read again', () => requests.length > 2);
  expect(fetcher.progress(TOPIC.topic, 0)).toMatchObject({ position: 100n, end: { offset: 100n } });
});

it('the fetcher backs off from a failing partition, but not from others', async () => {
  const { requests } = read((partition) => (partition === 0 ? { errorCode: CODE.storageError } : {}));
  await eventually(
    'the other one is read often',
    () => requests.filter(({ partition }) => partition === 1).length > 500,
  );
  expect(requests.filter(({ partition }) => partition === 0).length).toBeLessThan(20);
});

it('the fetcher logs a deleted topic in words instead of as an error number', async () => {
  const { logged } = read(() => ({ errorCode: CODE.unknownTopicId }));
  await eventually('the failure is logged', () =>
    logged().some((line) => line.includes('fetch of things.v1/0: the topic was deleted')),
  );
});

it('the fetcher reads other partitions while the broker does not return the start offset of one partition', async () => {
  const { requests } = read(
    () => ({}),
    (partition) => ({ errorCode: partition === 0 ? CODE.storageError : CODE.none, offset: '7' }),
  );
  await eventually('the other one is read', () => requests.length > 0);
  expect(requests[0]).toMatchObject({ partition: 1, from: 7n });
});

it('the fetcher refreshes the metadata only at intervals while a partition has no leader', async () => {
  leaders = [-1, -1];
  const { requests, refreshes } = read(() => ({}));
  for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(refreshes()).toBeLessThan(5);
  leaders = [1, 1];
  await eventually('it is read', () => requests.length > 0);
});

it.each([
  ['one partition', [1, 2]],
  ['all partitions', [2, 2]],
])('the fetcher reads %s from another leader that only a heartbeat has learned of', async (_what, moved) => {
  const { requests, refreshes } = read(() => ({}));
  await eventually('both are read', () => requests.length > 1);
  leaders = moved;
  const before = requests.length;
  await eventually('both are still read', () =>
    [0, 1].every((each) => requests.slice(before + 2).some(({ partition }) => partition === each)),
  );
  expect(refreshes()).toBe(0);
});

it('the fetcher logs repeated fetch failures at increasing intervals', async () => {
  const { requests, failed } = read(() => Promise.reject(new Error('a batch cannot be decoded')));
  await eventually('it was tried four times', () => requests.filter(({ partition }) => partition === 0).length > 4);
  fetcher.stop();
  const { info, warn } = pino.levels.values;
  const first = failed().slice(0, 3);
  expect(first.map(({ failures, level }) => [failures, level])).toEqual([
    [1, info],
    [2, warn],
    [4, warn],
  ]);
});

it('the fetcher counts a failed fetch as an attempt, but not as a completed fetch', async () => {
  read(() => Promise.reject(new Error('the broker is away')));
  const completed = fetcher.lastFetchAt('completed');
  await eventually('it is tried again', () => fetcher.lastFetchAt('attempted') > completed);
  expect(fetcher.lastFetchAt('completed')).toBe(completed);
});

it('the fetcher logs no failure for a fetch that ends because its consumer stops', async () => {
  const fetch = Promise.withResolvers<never>();
  const { requests, failed } = read(() => fetch.promise);
  await eventually('it fetches', () => requests.length > 0);
  fetcher.stop();
  fetch.reject(new Error('the connection is being closed'));
  await fetch.promise.catch(() => undefined);
  await new Promise(setImmediate);
  expect(failed()).toEqual([]);
});
