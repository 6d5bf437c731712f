import { promisify } from 'node:util';
import { constants, gunzip, gzip } from 'node:zlib';
import { HEADERS, TOPICS, TOPIC_MANIFEST } from '@po/contracts';
import { type IncomingRecord, RecordTooLargeError } from '../kafka-port.js';
import { type Reply, serializeBody } from './reply.js';

/** Header value by which a caller accepts compressed replies, and which marks a compressed reply. */
export const GZIP = 'gzip';
/** Smaller replies are not worth the time. JSON of orders shrinks to a tenth or less. */
const COMPRESS_ABOVE_BYTES = 1024 * 1024;
/** Reserved for headers and broker overhead. */
const RESERVED_BYTES = 64 * 1024;
const RECORD_BYTES = TOPIC_MANIFEST.find(({ topic }) => topic === TOPICS.replies)?.maxMessageBytes ?? 0;
/** No service makes such a large reply; the reply of a broken service must not fill the caller's memory. */
const MAX_BODY_BYTES = 128 * 1024 * 1024;

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** A reply's body as stored in its record, and the header for its encoding. */
export interface EncodedReply {
  value: Buffer | string;
  headers: Record<string, string>;
}

/** Encodes a reply, compressing outside the event loop. Rejects with RecordTooLargeError, before any send, if it exceeds a record. */
export async function encodeReply(reply: Reply, takesGzip: boolean): Promise<EncodedReply> {
  const body = serializeBody(reply);
  const compressed = takesGzip && Buffer.byteLength(body) > COMPRESS_ABOVE_BYTES;
  const value = compressed ? await compress(body, { level: constants.Z_BEST_SPEED }) : body;
  if (Buffer.byteLength(value) > RECORD_BYTES - RESERVED_BYTES) throw new RecordTooLargeError();
  return { value, headers: compressed ? { [HEADERS.contentEncoding]: GZIP } : {} };
}

/** The body of a reply's record; a promise if it is compressed. */
export function decodeReply({ value, headers }: IncomingRecord): Buffer | Promise<Buffer> {
  if (value === null) return Buffer.alloc(0);
  return headers[HEADERS.contentEncoding] === GZIP ? decompress(value, { maxOutputLength: MAX_BODY_BYTES }) : value;
}
