import { parseJson } from '@po/platform';
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

/**
 * True for a ContentError and for SQLSTATE classes 22 (data exception), 23 (integrity constraint violation) and 54 (program limit
 * exceeded, such as the maximum index row size): the content is at fault, not the store.
 */
export function isContentError(error: unknown): boolean {
  if (error instanceof ContentError) return true;
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^(?:22|23|54)[0-9A-Z]{3}$/.test(code);
}

/** True for a programming error, which a retry is unlikely to resolve. */
export function isDefect(error: unknown): error is Error {
  return error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
}

/** True if every retry with this one message would fail too: its content is refused, or the code has a defect. */
export const isPermanent = (error: unknown): boolean => isContentError(error) || isDefect(error);

/** The parsed value of a record. Throws ContentError if it is null, not UTF-8 or not JSON. */
export function jsonOf({ value }: IncomingRecord): unknown {
  if (value === null) throw new ContentError('the value is null');
  try {
    return parseJson(value);
  } catch (error) {
    throw new ContentError(`the value is ${(error as SyntaxError).message}`, { cause: error });
  }
}
