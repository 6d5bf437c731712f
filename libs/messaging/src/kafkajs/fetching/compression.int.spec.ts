import { promisify } from 'node:util';
import { gzip, zstdCompress } from 'node:zlib';
import { expect, it } from '@jest/globals';
import kafkajs from 'kafkajs';
import { compressFrame } from 'lz4-napi';
import { pino } from 'pino';
import { compress } from 'snappy';
import { kafkaBrokers } from '@po/testing/stores';
import { readTopic } from '../../dead-letters/read-topic.js';
import { newTopic } from '../../fixtures/new-topic.js';
import { connectKafka } from '../adapter.js';

const { CompressionTypes, Kafka, logLevel } = kafkajs;
const codecs = kafkajs.CompressionCodecs as Record<number, () => object>;
const CODECS: [type: number, compress: (bytes: Buffer) => Promise<Buffer>][] = [
  [CompressionTypes.GZIP, promisify(gzip)],
  [CompressionTypes.Snappy, compress],
  [CompressionTypes.LZ4, compressFrame],
  [CompressionTypes.ZSTD, promisify(zstdCompress)],
];
const VALUE = 'a record that is worth compressing '.repeat(50);

it('a consumer reads records of every compression codec, and the records after them', async () => {
  const brokers = kafkaBrokers();
  const kafka = connectKafka({ KAFKA_BROKERS: brokers }, 'compression', pino({ level: 'silent' }));
  const topic = await newTopic(kafka);
  const producer = new Kafka({ brokers, logLevel: logLevel.NOTHING }).producer();
  await producer.connect();
  for (const [type, written] of CODECS) {
    codecs[type] = () => ({ compress: ({ buffer }: { buffer: Buffer }) => written(buffer) });
    await producer.send({ topic, compression: type, messages: [{ value: VALUE }, { value: VALUE }] });
  }
  await producer.send({ topic, messages: [{ value: 'plain' }] });
  await producer.disconnect();
  const values: string[] = [];
  await readTopic(kafka, topic, ({ value }) => void values.push(String(value)));
  expect(values).toEqual([...CODECS.flatMap(() => [VALUE, VALUE]), 'plain']);
});
