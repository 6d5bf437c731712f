import { isRefusedByStore, parseJson } from '@po/platform';
import type { IncomingRecord } from '../kafka-port.js';

/**
 * A message that can never be handled, even after retries: bad JSON, a wrong schema, a value that the store refuses. If an event handler
 * throws it, the record goes to the dead-letter topic at once, with this reason. Errors that are no content errors are retried.
 */
export class ContentError extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'ContentError';
  }
}

/** True if the content is at fault, so that a retry would fail too. */
export const isContentError = (error: unknown): boolean => error instanceof ContentError || isRefusedByStore(error);

/** The parsed value of a record. Throws ContentError if it is null, not UTF-8 or not JSON. */
export function jsonOf({ value }: IncomingRecord): unknown {
  if (value === null) throw new ContentError('the value is null');
  try {
    return parseJson(value);
  } catch (error) {
    throw new ContentError(`the value is ${(error as SyntaxError).message}`, { cause: error });
  }
}
