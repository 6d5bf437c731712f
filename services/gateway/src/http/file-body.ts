import { ProblemError } from '@po/contracts';
import type { FastifyRequest } from 'fastify';
import { type Acceptance, bodyTypeOf, withBody } from './body-bytes.js';
import type { MediaType } from './media-type.js';
import { actorOf } from './request-context.js';

export interface FileBody extends MediaType {
  bytes: Buffer;
}

/** Returns the media type of the file in a request's body. Throws UNSUPPORTED_MEDIA_TYPE. */
export function fileTypeOf(request: FastifyRequest, acceptance: Acceptance): MediaType {
  const type = bodyTypeOf(request, acceptance);
  if (!type) throw new ProblemError('UNSUPPORTED_MEDIA_TYPE', {}, { hidden: { accepted: acceptance.media } });
  return type;
}

/**
 * Receives the file in a request's body and passes it to `use` when its turn comes. Throws what `withBody`, the file queue or `use` throws.
 */
export async function withFile<T>(
  request: FastifyRequest,
  acceptance: Acceptance,
  use: (file: FileBody) => T | Promise<T>,
): Promise<T> {
  const type = fileTypeOf(request, acceptance);
  const { socket } = request.raw;
  const disconnected = new AbortController();
  const leave = () => disconnected.abort();
  socket.once('close', leave);
  try {
    return await withBody(request, acceptance, (bytes) =>
      request.server.uploads.files.read(actorOf(request).sub, disconnected.signal, () => use({ ...type, bytes })),
    );
  } finally {
    socket.off('close', leave);
  }
}
