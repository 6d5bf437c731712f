import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { crc32c } from './crc32c.js';
import { encodeProduce, type ProduceRequest } from './produce-encoding.js';
import { kafkaJsModule } from './patch-kafkajs.js';
import { patchProduce } from './produce-patch.js';

type Encode = (request: ProduceRequest) => { request: { encode(): Promise<{ buffer: Buffer }> } };

const produce = kafkaJsModule<{ protocol(options: { version: number }): Encode }>('protocol/requests/produce/index');
const NOW = 1_795_273_466_123;

const text = fc.string({ unit: 'binary', maxLength: 300 });
const bytes = fc.uint8Array({ maxLength: 9_000 }).map((array) => Buffer.from(array));
const message = fc.record({
  key: fc.option(fc.oneof(text, bytes)),
  value: fc.option(fc.oneof(text, bytes)),
  headers: fc.dictionary(text, fc.oneof(text, bytes), { maxKeys: 12 }),
});
const partition = fc.record({
  partition: fc.nat(),
  firstSequence: fc.nat(),
  messages: fc.array(message, { minLength: 1, maxLength: 130 }),
});
const request: fc.Arbitrary<ProduceRequest> = fc.record(
  {
    acks: fc.constantFrom(-1, 0, 1),
    timeout: fc.nat(),
    transactionalId: fc.option(text),
    producerId: fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }).map(String),
    producerEpoch: fc.nat(32_767),
    topicData: fc.array(
      fc.record({ topic: fc.string({ maxLength: 249 }), partitions: fc.array(partition, { maxLength: 4 }) }),
      { maxLength: 3 },
    ),
  },
  { requiredKeys: ['acks', 'timeout', 'topicData'] },
);

function encode(version: number, sent: ProduceRequest): Promise<Buffer> {
  return produce
    .protocol({ version })(sent)
    .request.encode()
    .then(({ buffer }) => Buffer.from(buffer));
}

describe('a Produce request', () => {
  beforeAll(() => void jest.spyOn(Date, 'now').mockReturnValue(NOW));
  afterAll(() => void jest.restoreAllMocks());

  // Before the patch these are KafkaJS's own bytes; this fails when KafkaJS changes under it.
  it('has the same bytes as that of KafkaJS, with and without the patch', async () => {
    const samples = fc.sample(request, 200);
    const expected = await Promise.all(samples.map((sample) => encode(7, sample)));
    for (const [index, sample] of samples.entries()) {
      expect((await encodeProduce(sample, NOW))?.equals(expected[index] as Buffer)).toBe(true);
    }
    const unusual = samples.map((sample) => ({ ...sample, compression: 1 }));
    const expectedUnusual = await Promise.all(unusual.map((sample) => encode(7, sample)));

    patchProduce();
    patchProduce();
    for (const version of [3, 5, 7]) {
      for (const [index, sample] of samples.entries()) {
        expect((await encode(version, sample)).equals(expected[index] as Buffer)).toBe(true);
      }
    }
    for (const [index, sample] of unusual.entries()) {
      expect((await encode(7, sample)).equals(expectedUnusual[index] as Buffer)).toBe(true);
    }
  });

  it.each([
    ['compression', {}, 1],
    ['a time of its own', { timestamp: '1' }, 0],
    ['two values of a header', { headers: { a: ['1', '2'] } }, 0],
  ])('with %s is encoded by KafkaJS', async (_, unusual, compression) => {
    const messages = [{ value: 'a' }, { value: 'b', ...unusual }];
    const topicData = [{ topic: 't', partitions: [{ partition: 0, messages }] }];
    expect(await encodeProduce({ acks: 1, timeout: 1, compression, topicData }, NOW)).toBeNull();
  });
});

it('has the CRC-32C that KafkaJS computes', () => {
  const original = kafkaJsModule<(bytes: Buffer) => number>('protocol/recordBatch/crc32C/index');
  expect(crc32c(Buffer.from('123456789'))).toBe(0xe3069283);
  fc.assert(
    fc.property(bytes, fc.nat(40), (sample, start) => {
      expect(crc32c(sample, Math.min(start, sample.length))).toBe(original(sample.subarray(start)));
    }),
  );
});
