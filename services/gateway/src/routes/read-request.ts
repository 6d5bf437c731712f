import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Acceptance } from '../http/body-bytes.js';
import { conditionsOf } from '../http/conditions.js';
import { type FileBody, fileTypeOf, withFile } from '../http/file-body.js';
import { bodyOf } from '../http/json-body.js';
import { pathParametersOf, queryOf } from '../http/parameters.js';
import type { Operation } from './operation.js';

type OutputOf<Body> = Body extends z.ZodType ? z.output<Body> : undefined;

/** Reads and validates a request by its operation. Throws the first error in the contract's order of checks. */
export async function readRequest<O extends Operation>(operation: O, request: FastifyRequest) {
  const body: unknown = operation.body instanceof z.ZodType ? await bodyOf(request, operation.body) : undefined;
  return { body: body as OutputOf<O['body']>, ...afterBody(operation, request) };
}

/**
 * Like `readRequest`, for an operation whose body is a file; also returns the result of `read`. `check` throws for a caller who may not
 * send a file at all, before it is received.
 */
export async function readUpload<O extends Operation & { body: Acceptance }, T>(
  operation: O,
  request: FastifyRequest,
  check: (params: Record<string, string>) => Promise<void>,
  read: (file: FileBody) => Promise<T>,
) {
  fileTypeOf(request, operation.body);
  await check(pathParametersOf(request, operation.params));
  return { file: await withFile(request, operation.body, read), ...afterBody(operation, request) };
}

// Order of the contract: 415, 413 and 400 of the body, then 400 of query and headers, and last the path's 404.
function afterBody<O extends Operation>(operation: O, request: FastifyRequest) {
  const query = queryOf(request, operation.query as O['query']);
  const conditions = conditionsOf(request, operation.conditions as O['conditions']);
  const params = pathParametersOf(request, operation.params);
  return { query, conditions, params };
}
