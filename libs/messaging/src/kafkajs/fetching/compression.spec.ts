import { promisify } from 'node:util';
import { gzip, zstdCompress } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { compressFrame } from 'lz4-napi';
import { compress as snappy } from 'snappy';
import { decompress } from './compression.js';

const [GZIP, SNAPPY, LZ4, ZSTD] = [1, 2, 3, 4] as const;
const MIB = 1024 * 1024;
const WRITTEN = '{"poNumber":"PO-1"}'.repeat(5);

describe('decompress', () => {
  // Written by kafka-clients 4.1.1; the second Snappy value by franz-go and librdkafka.
  it.each([
    [SNAPPY, 'glNOQVBQWQAAAAABAAAAAQAAABtfSHsicG9OdW1iZXIiOiJQTy0xIn3+EwAuEwA='],
    [SNAPPY, 'X0h7InBvTnVtYmVyIjoiUE8tMSJ9/hMALhMA'],
    [LZ4, 'BCJNGGBAgh4AAAD/BHsicG9OdW1iZXIiOiJQTy0xIn0TADRQTy0xIn0AAAAA'],
    [ZSTD, 'KLUv/QBY1AAAmHsicG9OdW1iZXIiOiJQTy0xIn0BANPQGQYBAAA='],
  ])('decompresses codec %i as written by another client: %s', async (codec, bytes) => {
    expect(String(await decompress(codec, Buffer.from(bytes, 'base64'), MIB))).toBe(WRITTEN);
  });

  it.each([
    [GZIP, promisify(gzip)],
    [SNAPPY, snappy],
    [LZ4, compressFrame],
    [ZSTD, promisify(zstdCompress)],
  ] as [number, (bytes: Buffer) => Promise<Buffer>][])(
    'decompresses codec %i up to the size limit, and rejects larger or truncated data',
    async (codec, compress) => {
      const written = await compress(Buffer.alloc(8 * MIB, 'a'));
      expect(await decompress(codec, written, 8 * MIB)).toHaveLength(8 * MIB);
      await expect(decompress(codec, written, MIB)).rejects.toThrow('a batch may have at most 1 MiB uncompressed');
      await expect(decompress(codec, written.subarray(0, written.length / 2), 8 * MIB)).rejects.toThrow(/./);
    },
  );

  it('rejects a codec that Kafka does not have', async () => {
    await expect(decompress(7, Buffer.alloc(1), MIB)).rejects.toThrow('unknown compression 7');
  });
});
