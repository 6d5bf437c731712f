import { ProblemError } from '@po/contracts';
import type { FastifyRequest } from 'fastify';
import { type MediaType, mediaTypeOf } from './media-type.js';

/** Bytes of bodies that are being received or read, of all requests together. */
let held = 0;
const MOST_HELD = 64 * 1024 * 1024;

/** What a body may be. */
export interface Acceptance {
  media: readonly string[];
  maxBytes: number;
}

/** The media type of a request's body; null for a request without body and type. Throws UNSUPPORTED_MEDIA_TYPE. */
export function bodyTypeOf(request: FastifyRequest, { media }: Acceptance): MediaType | null {
  const { headers, context } = request;
  const encoding = headers['content-encoding'];
  const isPlain = encoding === undefined || encoding.toLowerCase() === 'identity';
  if (isPlain && context.contentType === undefined && !hasBody(request)) return null;
  const type = context.contentType === undefined ? null : mediaTypeOf(context.contentType);
  if (isPlain && type && media.includes(type.type)) return type;
  throw new ProblemError('UNSUPPORTED_MEDIA_TYPE', {}, { hidden: { accepted: media } });
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Reads a request's body and gives it to `use`. Throws BODY_TOO_LARGE for more than is accepted, BAD_REQUEST for a body that does not
 * arrive, UNAVAILABLE while too much of others is held.
 */
export async function withBody<T>(
  request: FastifyRequest,
  { maxBytes }: Acceptance,
  use: (bytes: Buffer) => T | Promise<T>,
): Promise<T> {
  const { raw, headers } = request;
  const chunks: Buffer[] = [];
  let size = 0;
  let refusal = Number(headers['content-length'] ?? 0) > maxBytes ? tooLarge(maxBytes) : null;
  try {
    if (!refusal) {
      try {
        // Left open: closing it here would take the socket, and the answer, with it.
        for await (const chunk of raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
          size += chunk.length;
          held += chunk.length;
          if (size > maxBytes) refusal = tooLarge(maxBytes);
          else if (held > MOST_HELD) refusal = new ProblemError('UNAVAILABLE', {}, { headers: { 'retry-after': '2' } });
          if (refusal) break;
          chunks.push(chunk);
        }
      } catch {
        // The client went away or broke the framing in the middle of its body.
        throw new ProblemError('BAD_REQUEST');
      }
    }
    if (!refusal) return await use(Buffer.concat(chunks));
  } finally {
    held -= size;
  }
  // The rest is read and dropped, for as long as a request may take: a connection that is closed while its client still sends is
  // reset, and the client never sees the answer.
  raw.resume();
  throw refusal;
}

const tooLarge = (maxBytes: number) =>
  new ProblemError('BODY_TOO_LARGE', {}, { hidden: { limit: maxBytes.toLocaleString('en') } });
