import { promisify } from 'node:util';
import { gunzip, zstdDecompress } from 'node:zlib';
import { decompressFrame } from 'lz4-napi';
import { uncompress } from 'snappy';

type Decompress = (bytes: Buffer, limit: number) => Promise<Buffer>;

/** Decompressors by the codec in the attributes of a record batch: gzip, Snappy, LZ4, Zstandard. */
const DECOMPRESS: Readonly<Record<number, Decompress>> = {
  1: (bytes, limit) => promisify(gunzip)(bytes, { maxOutputLength: limit }),
  2: unsnap,
  3: unlz4,
  4: (bytes, limit) => promisify(zstdDecompress)(bytes, { maxOutputLength: limit }),
};

/** Magic bytes of Snappy as Java clients write it. Two version numbers follow, then blocks, each prefixed with its size. */
const JAVA_SNAPPY = Buffer.from('\x82SNAPPY\0', 'latin1');
const JAVA_SNAPPY_HEADER_BYTES = JAVA_SNAPPY.length + 8;

/** Decompresses the records of a batch. Rejects if they are invalid or exceed `limit` bytes. */
export function decompress(codec: number, bytes: Buffer, limit: number): Promise<Buffer> {
  const known = DECOMPRESS[codec];
  if (!known) return Promise.reject(new Error(`unknown compression ${codec}`));
  return known(bytes, limit).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ERR_BUFFER_TOO_LARGE' ? tooLarge(limit) : error;
  });
}

async function unsnap(bytes: Buffer, limit: number): Promise<Buffer> {
  const blocks: Buffer[] = [];
  if (!bytes.subarray(0, JAVA_SNAPPY.length).equals(JAVA_SNAPPY)) blocks.push(bytes);
  else {
    for (let at = JAVA_SNAPPY_HEADER_BYTES; at < bytes.length;) {
      const size = bytes.readInt32BE(at);
      if (size < 0 || at + 4 + size > bytes.length) throw new RangeError('a Snappy block is truncated');
      blocks.push(bytes.subarray(at + 4, at + 4 + size));
      at += 4 + size;
    }
  }
  requireWithin(
    blocks.reduce((sum, block) => sum + snappySizeOf(block), 0),
    limit,
  );
  return Buffer.concat(
    await Promise.all(blocks.map((block) => uncompress(block, { asBuffer: true }) as Promise<Buffer>)),
  );
}

/** The uncompressed size at the start of a Snappy block: a little-endian varint of at most five bytes. */
function snappySizeOf(block: Buffer): number {
  let size = 0;
  for (let at = 0; at < 5; at += 1) {
    const byte = block[at] ?? 0;
    size += (byte & 0x7f) * 2 ** (7 * at);
    if (byte < 0x80) return size;
  }
  throw new RangeError('a Snappy block has no valid size');
}

const LZ4_MAGIC = 0x184d2204;
const LZ4_CONTENT_SIZE = 0x08;
const LZ4_DICTIONARY = 0x01;
const LZ4_BLOCK_CHECKSUM = 0x10;
const LZ4_UNCOMPRESSED = 0x80000000;

// The content size in the frame is optional and may be wrong, so the size is derived from the blocks and their maximum size.
async function unlz4(bytes: Buffer, limit: number): Promise<Buffer> {
  if (bytes.readUInt32LE(0) !== LZ4_MAGIC) throw new Error('not an LZ4 frame');
  const flags = bytes.readUInt8(4);
  const maxBlock = 2 ** (8 + 2 * ((bytes.readUInt8(5) >> 4) & 7));
  let at = 7 + (flags & LZ4_CONTENT_SIZE ? 8 : 0) + (flags & LZ4_DICTIONARY ? 4 : 0);
  let blocks = 0;
  for (let size = bytes.readUInt32LE(at); size !== 0; size = bytes.readUInt32LE(at)) {
    at += 4 + (size & ~LZ4_UNCOMPRESSED) + (flags & LZ4_BLOCK_CHECKSUM ? 4 : 0);
    blocks += 1;
  }
  requireWithin(Math.max(blocks - 1, 0) * maxBlock, limit);
  return decompressFrame(bytes);
}

function requireWithin(size: number, limit: number): void {
  if (size > limit) throw tooLarge(limit);
}

const tooLarge = (limit: number) => new RangeError(`a batch may have at most ${limit / 2 ** 20} MiB uncompressed`);
