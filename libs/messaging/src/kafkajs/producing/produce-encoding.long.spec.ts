import { afterEach, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { anyCharacter } from '@po/testing/any-character';
import { kafkaJsModule } from '../patches/patch-kafkajs.js';
import { type ProduceRequest, encodeProduce } from './produce-encoding.js';

const NOW = 1_795_273_466_123;

const text = fc.string({ unit: anyCharacter, maxLength: 300 });
const bytes = fc.uint8Array({ maxLength: 9_000 }).map((array) => Buffer.from(array));
const message = fc.record({
  key: fc.option(fc.oneof(text, bytes)),
  value: fc.option(fc.oneof(text, bytes)),
  headers: fc.dictionary(text, fc.oneof(text, bytes, fc.array(bytes, { maxLength: 3 })), { maxKeys: 12 }),
});
const identity = fc.record({
  producerId: fc.bigInt({ min: -1n, max: 2n ** 63n - 1n }).map(String),
  producerEpoch: fc.nat(32_767),
});
const partition = fc.record({
  partition: fc.nat(),
  firstSequence: fc.nat(),
  messages: fc.array(message, { minLength: 1, maxLength: 130 }),
});
const request = fc.record({
  acks: fc.constantFrom(-1, 0, 1),
  timeout: fc.nat(),
  topicData: fc.array(
    fc.record({ topic: fc.string({ maxLength: 249 }), partitions: fc.array(partition, { maxLength: 4 }) }),
    { maxLength: 3 },
  ),
});

interface Exchange {
  request: { encode(): Promise<{ buffer: Buffer }> };
}

const { protocol } = kafkaJsModule<{
  protocol: (options: { version: number }) => (request: object) => Exchange;
}>('protocol/requests/produce/index');

afterEach(() => void jest.restoreAllMocks());

// Fails if KafkaJS changes its encoding.
it('a Produce request is encoded in the same bytes as by KafkaJS', async () => {
  jest.spyOn(Date, 'now').mockReturnValue(NOW);
  for (const [asked, own] of fc.sample(fc.tuple(request, identity), 200)) {
    // KafkaJS has one identity for the whole request.
    const { buffer } = await protocol({ version: 7 })({ ...asked, ...own }).request.encode();
    const topicData = asked.topicData.map(({ topic, partitions }) => ({
      topic,
      partitions: partitions.map((each) => ({ ...each, ...own })),
    }));
    expect((await encodeProduce({ ...asked, topicData } as ProduceRequest, NOW)).equals(buffer)).toBe(true);
  }
});
