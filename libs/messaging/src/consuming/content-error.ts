import { parseJson } from '@po/platform';
import type { IncomingRecord } from '../kafka-port.js';

/**
 * A message that can never be handled, however often it is tried: bad JSON, wrong schema, a value the store refuses. Throw it from
 * an event handler to send the record to the dead-letter topic with this reason at once; everything else thrown is retried.
 */
export class ContentError extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = 'ContentError';
  }
}

/**
 * SQLSTATE classes 22 (data exception), 23 (integrity constraint) and 54 (a limit of the program, such as the largest index row) speak
 * about the content, not about the store.
 */
export function isContentError(error: unknown): boolean {
  if (error instanceof ContentError) return true;
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^(?:22|23|54)[0-9A-Z]{3}$/.test(code);
}

/** True for an error of our own code, which trying again will hardly cure. */
export function isDefect(error: unknown): error is Error {
  return error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
}

/** Whether it fails however often it is tried, with one message alone: the content is refused, or our own code is wrong. */
export const isPermanent = (error: unknown): boolean => isContentError(error) || isDefect(error);

/** The parsed value of a record. Throws ContentError when it is null, not UTF-8 or not JSON. */
export function jsonOf({ value }: IncomingRecord): unknown {
  if (value === null) throw new ContentError('the value is null');
  try {
    return parseJson(value);
  } catch (error) {
    throw new ContentError(`the value is ${(error as SyntaxError).message}`, { cause: error });
  }
}
