import { ProblemError } from '@po/contracts';
import type { FastifyRequest } from 'fastify';
import { SMALL_BODY, type UploadAdmission } from '../admission/upload-admission.js';
import { type MediaType, mediaTypeOf } from './media-type.js';
import { actorOf } from './request-context.js';

declare module 'fastify' {
  interface FastifyInstance {
    uploads: UploadAdmission;
  }
}

/** Accepted media types and size of a body. */
export interface Acceptance {
  media: readonly string[];
  maxBytes: number;
}

/** Returns the media type of a request's body; null for a request without body and type. Throws UNSUPPORTED_MEDIA_TYPE. */
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
 * Reads a request's body and passes it to `use`. Throws BODY_TOO_LARGE above the maximum, BAD_REQUEST for a body that does not arrive,
 * TOO_MANY_UPLOADS or UNAVAILABLE for a large one while too many others are in progress.
 */
export async function withBody<T>(
  request: FastifyRequest,
  { maxBytes }: Acceptance,
  use: (bytes: Buffer) => T | Promise<T>,
): Promise<T> {
  const { headers, server } = request;
  // Without Content-Length the body may grow to the maximum.
  const expected = headers['content-length'] === undefined ? maxBytes : Number(headers['content-length']);
  if (expected > maxBytes) throw unread(request, tooLarge(maxBytes));
  const admission = new BodyAdmission(server.uploads, actorOf(request).sub, expected);
  try {
    if (headers['content-length'] !== undefined) await admission.have(expected);
    return await use(await Promise.race([receive(request, maxBytes, admission), admission.slow]));
  } finally {
    admission.end();
  }
}

/** Admission of one body. Up to the size of a small body only its time is limited. */
class BodyAdmission {
  /** Bytes received so far. */
  received = 0;
  /** Rejects when an upload is too slow, because it reserves memory that others need. */
  readonly slow: Promise<never>;
  isSlow = false;
  private readonly refuse: (reason: ProblemError) => void;
  private admitted: (() => void) | null = null;
  private isOver = false;
  private unwatch: () => void;

  constructor(
    private readonly uploads: UploadAdmission,
    private readonly userId: string,
    private readonly reserved: number,
  ) {
    const { promise, reject } = Promise.withResolvers<never>();
    this.slow = promise;
    this.refuse = reject;
    promise.catch(() => undefined);
    this.unwatch = uploads.watchSmall(this.isTooSlow);
  }

  async have(bytes: number): Promise<void> {
    if (bytes <= SMALL_BODY || this.admitted) return;
    const release = await this.uploads.admit(this.userId, this.reserved);
    // Already refused as too slow, so nothing else would release the lease.
    if (this.isOver) return release();
    this.admitted = release;
    this.unwatch();
    this.unwatch = this.uploads.watch(() => this.received, this.isTooSlow);
  }

  /** The whole body has arrived. */
  complete(): void {
    this.unwatch();
  }

  end(): void {
    this.isOver = true;
    this.complete();
    this.admitted?.();
  }

  private readonly isTooSlow = () => {
    this.isSlow = true;
    this.refuse(tooSlow());
  };
}

async function receive(request: FastifyRequest, maxBytes: number, admission: BodyAdmission): Promise<Buffer> {
  const chunks: Buffer[] = [];
  try {
    // Destroying the request here would close the socket before the response is sent.
    for await (const chunk of request.raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      // Already refused; the connection is closed after the response.
      if (admission.isSlow) break;
      admission.received += chunk.length;
      if (admission.received > maxBytes) throw tooLarge(maxBytes);
      await admission.have(admission.received);
      chunks.push(chunk);
    }
    admission.complete();
  } catch (error) {
    // Any other error means that the client disconnected or broke the framing in the middle of the body.
    throw error instanceof ProblemError ? unread(request, error) : new ProblemError('BAD_REQUEST');
  }
  return Buffer.concat(chunks);
}

/**
 * Reads and discards the rest of the body, for as long as a request may take: a connection that is closed while its client still sends is
 * reset, and the client never sees the response.
 */
function unread({ raw }: FastifyRequest, refusal: ProblemError): ProblemError {
  raw.resume();
  return refusal;
}

const tooLarge = (maxBytes: number) =>
  new ProblemError('BODY_TOO_LARGE', {}, { hidden: { limit: maxBytes.toLocaleString('en') } });

const tooSlow = () =>
  new ProblemError(
    'BAD_REQUEST',
    {},
    {
      headers: { connection: 'close' },
      hidden: { reason: 'The body was sent too slowly; send it again.', reasonZh: '请求体传输过慢，请重新发送。' },
    },
  );
