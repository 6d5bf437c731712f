import { expect, it } from '@jest/globals';
import { patchCompression } from './compression.js';
import { kafkaJsModule } from './patch-kafkajs.js';

interface Compression {
  Types: Record<string, number>;
  lookupCodecByAttributes: (attributes: number) => { decompress: (bytes: Buffer) => Promise<Buffer> };
}

const WRITTEN = '{"poNumber":"PO-1"}'.repeat(5);

patchCompression();

// As kafka-clients 4.1.1 writes them, and franz-go and librdkafka Snappy.
it.each([
  ['Snappy', 'glNOQVBQWQAAAAABAAAAAQAAABtfSHsicG9OdW1iZXIiOiJQTy0xIn3+EwAuEwA='],
  ['Snappy', 'X0h7InBvTnVtYmVyIjoiUE8tMSJ9/hMALhMA'],
  ['LZ4', 'BCJNGGBAgh4AAAD/BHsicG9OdW1iZXIiOiJQTy0xIn0TADRQTy0xIn0AAAAA'],
  ['ZSTD', 'KLUv/QBY1AAAmHsicG9OdW1iZXIiOiJQTy0xIn0BANPQGQYBAAA='],
])('reads what was compressed by %s: %s', async (type, bytes) => {
  const { Types, lookupCodecByAttributes } = kafkaJsModule<Compression>('protocol/message/compression/index');
  const { decompress } = lookupCodecByAttributes(Types[type] ?? -1);
  expect(String(await decompress(Buffer.from(bytes, 'base64')))).toBe(WRITTEN);
});
