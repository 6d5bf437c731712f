import { ProblemError, validate } from '@po/contracts';
import { parseJson } from '@po/platform';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { type Acceptance, bodyTypeOf, withBody } from './body-bytes.js';

const ACCEPTED: Acceptance = { media: ['application/json'], maxBytes: 1_048_576 };
const MAX_DEPTH = 20;
/** Parsing and validating block the only thread. A reply to all 5,000 rows of an order stays below it, so its error says what is wrong. */
const MAX_MEMBERS = 20_000;

/**
 * Reads, parses and validates the body of a request. Throws UNSUPPORTED_MEDIA_TYPE, BODY_TOO_LARGE, MALFORMED_JSON or VALIDATION_FAILED.
 * Nothing is read before this call, so all of them come after authentication and rate limit.
 */
export async function bodyOf<S extends z.ZodType>(request: FastifyRequest, schema: S): Promise<z.output<S>> {
  bodyTypeOf(request, ACCEPTED);
  return validate(schema, await withBody(request, ACCEPTED, parse), 'body');
}

function parse(bytes: Buffer): unknown {
  try {
    // In Latin-1 every byte is one character. Brackets and quotes are ASCII, and no byte of another UTF-8 character is.
    if (isTooComplex(bytes.toString('latin1'))) throw new SyntaxError('too deep or too many members');
    return parseJson(bytes);
  } catch {
    throw new ProblemError('MALFORMED_JSON');
  }
}

/** Counts levels of arrays and objects and members of objects without parsing, because the parser itself recurses. */
function isTooComplex(text: string): boolean {
  let depth = 0;
  let deepest = 0;
  let members = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (inString) {
      if (character === '\\') index += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === ':') members += 1;
    else if (character === '{' || character === '[') deepest = Math.max(deepest, (depth += 1));
    else if (character === '}' || character === ']') depth -= 1;
  }
  return deepest > MAX_DEPTH || members > MAX_MEMBERS;
}
