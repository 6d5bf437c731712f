import { type ErrorCode, type FieldRefusal, ProblemError, invalid, validate } from '@po/contracts';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';

const FORBIDDEN = /(^|[.[\]])(__proto__|constructor)($|[.[\]])/;

/**
 * Returns the known query parameters by their schema; unknown ones are ignored. Throws VALIDATION_FAILED for a known one that is repeated,
 * badly encoded or invalid, and for names that reach an object's prototype.
 */
export function queryOf<S extends z.ZodObject>(request: FastifyRequest, schema: S): z.output<S> {
  const values: Record<string, string> = {};
  const errors: FieldRefusal[] = [];
  const refuse = (name: string, code: string, en: string, zh: string) =>
    errors.push({ in: 'query', pointer: `/${name}`, code, message: { en, zh } });
  for (const [name, value] of queryPairs(request.raw.url ?? '')) {
    if (name !== null && FORBIDDEN.test(name)) refuse(name, 'UNKNOWN_FIELD', 'unknown parameter', '未知参数');
    if (name === null || !Object.hasOwn(schema.shape, name)) continue;
    if (value === null) refuse(name, 'INVALID_FORMAT', 'must be percent-encoded UTF-8', '必须是百分号编码的 UTF-8');
    else if (Object.hasOwn(values, name)) refuse(name, 'REPEATED', 'must not be repeated', '不能重复');
    else values[name] = value;
  }
  if (errors.length > 0) throw invalid(errors);
  return validate(schema, values, 'query');
}

/** A path parameter: its schema, and the error code for an invalid value. */
export interface PathParameter {
  schema: z.ZodType<string>;
  refusal: ErrorCode;
}

/** Returns the path parameters by their schemas. Throws the error of the first invalid one. */
export function pathParametersOf(
  { params, url, originalUrl }: FastifyRequest,
  parameters: Record<string, PathParameter>,
): Record<string, string> {
  const values: Record<string, string> = {};
  // A path that does not decode was rewritten for the router only, so its values are not what the client meant.
  const decodes = url === originalUrl;
  for (const [name, { schema, refusal }] of Object.entries(parameters)) {
    const parsed = schema.safeParse((params as Record<string, string>)[name]);
    if (!decodes || !parsed.success) throw new ProblemError(refusal);
    values[name] = parsed.data;
  }
  return values;
}

/** Decoded names and values of the query; null for one that does not decode. */
function queryPairs(url: string): [name: string | null, value: string | null][] {
  const start = url.indexOf('?');
  if (start < 0) return [];
  return url
    .slice(start + 1)
    .split('&')
    .filter(Boolean)
    .map((pair) => {
      const [name = '', ...rest] = pair.split('=');
      return [decoded(name), decoded(rest.join('='))];
    });
}

function decoded(encoded: string): string | null {
  try {
    return decodeURIComponent(encoded.replaceAll('+', ' '));
  } catch {
    return null;
  }
}
