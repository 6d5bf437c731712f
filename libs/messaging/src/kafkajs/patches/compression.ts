import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import { decompressFrame } from 'lz4-napi';
import { uncompress } from 'snappy';
import { patchKafkaJs } from './patch-kafkajs.js';

/** What KafkaJS calls a way to compress. */
interface Codec {
  compress(): Promise<never>;
  decompress(bytes: Buffer): Promise<Buffer>;
}

interface Compression {
  Types: Record<'Snappy' | 'LZ4' | 'ZSTD', number>;
  Codecs: Record<number, () => Codec>;
}

/** Snappy as Java's clients write it: this, two versions, then blocks, each with its size before it. */
const JAVA_SNAPPY = Buffer.from('\x82SNAPPY\0', 'latin1');
const JAVA_SNAPPY_HEADER_BYTES = JAVA_SNAPPY.length + 8;

/**
 * Lets KafkaJS read records in every way that a client may have compressed them. Alone it knows gzip, and over one record of another kind
 * it throws the whole answer of a broker away, again and again: one such producer stops all that stands on its broker.
 */
export function patchCompression(): void {
  patchKafkaJs<Compression>('protocol/message/compression/index', ({ Types, Codecs }) => {
    const reads: [type: number, decompress: Codec['decompress']][] = [
      [Types.Snappy, unsnap],
      [Types.LZ4, decompressFrame],
      [Types.ZSTD, promisify(zstdDecompress)],
    ];
    for (const [type, decompress] of reads) {
      if (typeof Codecs[type] !== 'function') throw new Error(`KafkaJS changed: codec ${type} is gone`);
      Codecs[type] = () => ({ compress: () => Promise.reject(new Error('nothing here compresses')), decompress });
    }
  });
}

async function unsnap(bytes: Buffer): Promise<Buffer> {
  if (!bytes.subarray(0, JAVA_SNAPPY.length).equals(JAVA_SNAPPY)) return unsnapBlock(bytes);
  const blocks: Promise<Buffer>[] = [];
  for (let at = JAVA_SNAPPY_HEADER_BYTES; at < bytes.length;) {
    const size = bytes.readUInt32BE(at);
    blocks.push(unsnapBlock(bytes.subarray(at + 4, at + 4 + size)));
    at += 4 + size;
  }
  return Buffer.concat(await Promise.all(blocks));
}

const unsnapBlock = (block: Buffer): Promise<Buffer> => uncompress(block, { asBuffer: true }) as Promise<Buffer>;
