import { describe, expect, it } from '@jest/globals';
import { overridePort } from '@po/testing/override-port';
import { flushEventLoop } from '../fixtures/virtual-time.js';
import { InMemoryKafka } from '../in-memory/in-memory-kafka.js';
import type { ConsumerPort } from '../kafka-port.js';
import { readTopic } from './read-topic.js';

const TOPIC = 'things.v1';
const MIB = 1024 * 1024;

type OnRecords = Parameters<ConsumerPort['start']>[0]['onRecords'];

/** The broker, whose consumers get their batches by `deliverBy`. */
const withDelivery = (kafka: InMemoryKafka, deliverBy: (...args: [...Parameters<OnRecords>, OnRecords]) => void) =>
  overridePort(kafka, {
    consumer: (options) => {
      const inner = kafka.consumer(options);
      const start: typeof inner.start = (handlers) =>
        inner.start({
          ...handlers,
          onRecords: (batch, to) => deliverBy(batch, to, (...delivered) => handlers.onRecords(...delivered)),
        });
      return { ...inner, start };
    },
  });

describe('reading a topic', () => {
  it('buffers no more than its byte limit for a slow reader, and reads all records', async () => {
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
    const watched = withDelivery(kafka, (batch, to, deliver) => {
      taken += batch.length;
      most = Math.max(most, taken - read);
      deliver(batch, to);
    });
    await readTopic(watched, TOPIC, async () => {
      await flushEventLoop(2);
      read += 1;
    });
    expect(read).toBe(200);
    // 16 MiB, plus the batch that exceeds them.
    expect(most).toBeLessThanOrEqual(64 + 50);
  });

  it('rejects when its signal aborts, even while its consumer cannot start', async () => {
    const kafka = new InMemoryKafka([{ topic: TOPIC, partitions: 1, retention: 1, maxMessageBytes: MIB }]);
    await kafka.producer().send([{ topic: TOPIC, partition: 0, key: 'k', value: 'v', headers: {} }]);
    const stuck = overridePort(kafka, {
      consumer: (options) => ({ ...kafka.consumer(options), start: () => new Promise(() => undefined) }),
    });
    const abort = new AbortController();
    const read = readTopic(stuck, TOPIC, () => undefined, { signal: abort.signal });
    await flushEventLoop(2);
    abort.abort(new Error('stopped by the caller'));
    await expect(read).rejects.toThrow('stopped by the caller');
  });

  it('rejects when its signal aborts while it requests the offsets', async () => {
    const kafka = new InMemoryKafka([{ topic: TOPIC, partitions: 1, retention: 1, maxMessageBytes: MIB }]);
    await kafka.producer().send([{ topic: TOPIC, partition: 0, key: 'k', value: 'v', headers: {} }]);
    const abort = new AbortController();
    const aborting = overridePort(kafka, {
      admin: async () => {
        const admin = await kafka.admin();
        abort.abort(new Error('stopped by the caller'));
        return admin;
      },
    });
    const read = readTopic(aborting, TOPIC, () => undefined, { signal: abort.signal });
    await expect(read).rejects.toThrow('stopped by the caller');
  });

  it('passes on no record of a later batch once a record has failed', async () => {
    const kafka = new InMemoryKafka([{ topic: TOPIC, partitions: 1, retention: 1, maxMessageBytes: MIB }]);
    const records = ['bad', 'good', 'good'].map((value) => ({
      topic: TOPIC,
      partition: 0,
      key: 'k',
      value,
      headers: {},
    }));
    await kafka.producer().send(records);
    // Batches of one record.
    const single = withDelivery(kafka, (batch, to, deliver) => {
      for (const record of batch) deliver([record], { ...to, next: BigInt(record.offset) + 1n });
    });
    const handed: string[] = [];
    const read = readTopic(single, TOPIC, ({ value }) => {
      handed.push(String(value));
      if (String(value) === 'bad') throw new Error('refused');
    });
    await expect(read).rejects.toThrow('refused');
    await flushEventLoop();
    expect(handed).toEqual(['bad']);
  });

  it('rejects and names the missing permission if the user may not read the topic, instead of retrying forever', async () => {
    const kafka = new InMemoryKafka([{ topic: TOPIC, partitions: 1, retention: 1, maxMessageBytes: MIB }]);
    await kafka.producer().send([{ topic: TOPIC, partition: 0, key: 'k', value: 'v', headers: {} }]);
    const denied: string[] = [];
    const guarded = overridePort(kafka, {
      authorizationFailures: () => ['read topic others.v1', ...denied],
      consumer: (options) => {
        const start = () => Promise.resolve(void denied.push(`read topic ${TOPIC}`));
        return { ...kafka.consumer(options), start };
      },
    });
    await expect(readTopic(guarded, TOPIC, () => undefined)).rejects.toThrow('this user may not read topic things.v1');
  });

  it('uses a consumer of fixed partitions, without a group', async () => {
    const kafka = new InMemoryKafka([{ topic: TOPIC, partitions: 2, retention: 1, maxMessageBytes: MIB }]);
    await kafka.producer().send([{ topic: TOPIC, partition: 1, key: 'k', value: 'v', headers: {} }]);
    const requested: (readonly number[] | undefined)[] = [];
    const watched = overridePort(kafka, {
      consumer: (options) => {
        requested.push(options.partitions);
        return kafka.consumer(options);
      },
    });
    await readTopic(watched, TOPIC, () => undefined);
    expect(requested).toEqual([[1]]);
  });
});
