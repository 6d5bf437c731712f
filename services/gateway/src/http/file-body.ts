import type { FastifyRequest } from 'fastify';
import { type Acceptance, bodyTypeOf, withBody } from './body-bytes.js';
import { ProblemError } from '@po/contracts';

/** A body that is a file. */
export interface FileBody {
  type: string;
  /** The request says that it is text in UTF-8. */
  isUtf8: boolean;
  bytes: Buffer;
}

/** Receives the file in a request's body and gives it to `use`: UNSUPPORTED_MEDIA_TYPE, BODY_TOO_LARGE or what `use` throws. */
export async function withFile<T>(
  request: FastifyRequest,
  acceptance: Acceptance,
  use: (file: FileBody) => T | Promise<T>,
): Promise<T> {
  const type = bodyTypeOf(request, acceptance);
  if (!type) throw new ProblemError('UNSUPPORTED_MEDIA_TYPE', {}, { hidden: { accepted: acceptance.media } });
  return withBody(request, acceptance, (bytes) => use({ ...type, bytes }));
}
