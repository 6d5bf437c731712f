import { ProblemError, validated } from '@po/contracts';
import { parseJson } from '@po/platform';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { isJson } from './media-type.js';

const MAX_BYTES = 1_048_576;
const MAX_DEPTH = 20;

/**
 * Reads and parses the body of a request: UNSUPPORTED_MEDIA_TYPE, BODY_TOO_LARGE, MALFORMED_JSON or VALIDATION_FAILED. Nothing is
 * read before this is called, so all of them come after the authentication and the rate limit.
 */
export async function bodyOf<S extends z.ZodType>(request: FastifyRequest, schema: S): Promise<z.output<S>> {
  const { headers } = request;
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') throw new ProblemError('UNSUPPORTED_MEDIA_TYPE');
  const { contentType } = request.context;
  if (contentType === undefined ? hasBody(request) : !isJson(contentType)) {
    throw new ProblemError('UNSUPPORTED_MEDIA_TYPE');
  }
  const json = parse(await read(request));
  return validated(schema, json, 'body');
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

async function read({ raw, headers }: FastifyRequest): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = Number(headers['content-length'] ?? 0);
  if (size <= MAX_BYTES) {
    size = 0;
    try {
      // Left open: closing it here would take the socket, and the answer, with it.
      for await (const chunk of raw.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        size += chunk.length;
        if (size > MAX_BYTES) break;
        chunks.push(chunk);
      }
    } catch {
      // The client went away or broke the framing in the middle of its body.
      throw new ProblemError('BAD_REQUEST');
    }
  }
  if (size <= MAX_BYTES) return Buffer.concat(chunks);
  // The rest is read and dropped, for as long as a request may take: a connection that is closed while its client still sends is
  // reset, and the client never sees the answer.
  raw.resume();
  throw new ProblemError('BODY_TOO_LARGE');
}

function parse(bytes: Buffer): unknown {
  try {
    // As Latin-1, in which every byte is a character: what nests is ASCII, and no byte of another character in UTF-8 is.
    if (depthOf(bytes.toString('latin1')) <= MAX_DEPTH) return parseJson(bytes);
  } catch {
    throw new ProblemError('MALFORMED_JSON');
  }
  throw new ProblemError('MALFORMED_JSON');
}

/** Levels of arrays and objects, counted without parsing: the parser itself recurses. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (inString) {
      if (character === '\\') index += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[') deepest = Math.max(deepest, (depth += 1));
    else if (character === '}' || character === ']') depth -= 1;
  }
  return deepest;
}
