import { expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { pino } from 'pino';
import { InMemoryKafka } from '../in-memory/in-memory-kafka.js';
import { Deliveries } from './deliveries.js';
import { shardOf } from './outbox.js';

const [REFUSING, SLOW, OTHER] = ['refusing', 'slow', 'other'];

it('no order is blocked for an answer that is ignored because an earlier row of its key failed', async () => {
  const kafka = new InMemoryKafka(
    [REFUSING, SLOW, OTHER].map((topic) => ({ topic, partitions: 1, retention: 1, maxMessageBytes: 1_000 })),
  );
  kafka.setLeader(REFUSING, 0, false);
  const producer = kafka.producer();
  const answer = Promise.withResolvers<void>();
  const deliveries = new Deliveries({
    producer: {
      ...producer,
      sendEach: (records) =>
        producer
          .sendEach(records)
          .map((result, index) => (records[index]?.topic === REFUSING ? result : answer.promise.then(() => result))),
    },
    pool: () => ({}) as Pool,
    logger: pino({ level: 'silent' }),
    onSettled: () => undefined,
  });
  let position = 0;
  const row = (key: string, version: number, topic: string) => ({
    position: String((position += 1)),
    shard: shardOf(key),
    key,
    version,
    traceparent: '',
    messages: [{ topic, headers: {}, value: '{}' }],
  });
  const send = (...rows: ReturnType<typeof row>[]) => deliveries.send(rows, new Map(), { until: Infinity });
  await send(row('A', 1, REFUSING), row('A', 2, SLOW), row('B', 1, OTHER));
  answer.resolve();
  await deliveries.idle();
  await send(row('C', 1, SLOW));
  expect(deliveries.settled().map(({ key, stored }) => [key, stored.length])).toEqual([
    ['A', 0],
    ['B', 1],
    ['C', 1],
  ]);
});
