import { describe, expect, it } from '@jest/globals';
import { portOver } from '@po/testing/port-over';
import { turns } from '../fixtures/virtual-time.js';
import { InMemoryKafka } from '../in-memory/in-memory-kafka.js';
import { readTopic } from './read-topic.js';

const TOPIC = 'things.v1';
const MIB = 1024 * 1024;

describe('reading a topic', () => {
  it('takes no more ahead of a slow reader than its limit in bytes, and reads all', async () => {
    const kafka = new InMemoryKafka([{ topic: TOPIC, partitions: 1, retention: 1, maxMessageBytes: 100 * MIB }]);
    const records = Array.from({ length: 200 }, (_, index) => ({
      topic: TOPIC,
      partition: 0,
      key: `k${index}`,
      value: 'x'.repeat(MIB / 4),
      headers: {},
    }));
    await kafka.producer().send(records);
    let taken = 0;
    let read = 0;
    let most = 0;
    const watched = portOver(kafka, {
      consumer: (options) => {
        const inner = kafka.consumer(options);
        const start: typeof inner.start = (handlers) =>
          inner.start({
            ...handlers,
            onRecords: (batch, to) => {
              taken += batch.length;
              most = Math.max(most, taken - read);
              handlers.onRecords(batch, to);
            },
          });
        return { ...inner, start };
      },
    });
    await readTopic(watched, TOPIC, async () => {
      await turns(2);
      read += 1;
    });
    expect(read).toBe(200);
    // 16 MiB, and the batch with which they are exceeded.
    expect(most).toBeLessThanOrEqual(64 + 50);
  });

  it('ends when it is told to, also while brokers keep it from beginning', async () => {
    const kafka = new InMemoryKafka([{ topic: TOPIC, partitions: 1, retention: 1, maxMessageBytes: MIB }]);
    await kafka.producer().send([{ topic: TOPIC, partition: 0, key: 'k', value: 'v', headers: {} }]);
    const stuck = portOver(kafka, {
      consumer: (options) => ({ ...kafka.consumer(options), start: () => new Promise(() => undefined) }),
    });
    const abort = new AbortController();
    const read = readTopic(stuck, TOPIC, () => undefined, { signal: abort.signal });
    await turns(2);
    abort.abort(new Error('told to stop'));
    await expect(read).rejects.toThrow('told to stop');
  });

  it('joins no group', async () => {
    const kafka = new InMemoryKafka([{ topic: TOPIC, partitions: 2, retention: 1, maxMessageBytes: MIB }]);
    await kafka.producer().send([{ topic: TOPIC, partition: 1, key: 'k', value: 'v', headers: {} }]);
    const asked: (readonly number[] | undefined)[] = [];
    const watched = portOver(kafka, {
      consumer: (options) => {
        asked.push(options.partitions);
        return kafka.consumer(options);
      },
    });
    await readTopic(watched, TOPIC, () => undefined);
    expect(asked).toEqual([[1]]);
  });
});
