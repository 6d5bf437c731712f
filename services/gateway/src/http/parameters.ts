import { type ErrorCode, type FieldRefusal, ProblemError, invalid, validated } from '@po/contracts';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';

const FORBIDDEN = /(^|[.[\]])(__proto__|constructor)($|[.[\]])/;

/** For operations without query parameters. */
export const NoQuery = z.object({});

/**
 * The query's known parameters by their schema; unknown ones are ignored. Throws VALIDATION_FAILED for a known one that is repeated,
 * badly encoded or wrong, and for the names that objects inherit by.
 */
export function queryOf<S extends z.ZodObject>(request: FastifyRequest, schema: S): z.output<S> {
  const values: Record<string, string> = {};
  const errors: FieldRefusal[] = [];
  const refuse = (name: string, code: string, en: string, zh: string) =>
    errors.push({ in: 'query', pointer: `/${name}`, code, message: { en, zh } });
  for (const [name, value] of written(request.raw.url ?? '')) {
    if (name !== null && FORBIDDEN.test(name)) refuse(name, 'UNKNOWN_FIELD', 'unknown parameter', '未知参数');
    if (name === null || !Object.hasOwn(schema.shape, name)) continue;
    if (value === null) refuse(name, 'INVALID_FORMAT', 'must be percent-encoded UTF-8', '必须是百分号编码的 UTF-8');
    else if (Object.hasOwn(values, name)) refuse(name, 'REPEATED', 'must not be repeated', '不能重复');
    else values[name] = value;
  }
  if (errors.length > 0) throw invalid(errors);
  return validated(schema, values, 'query');
}

/** A step of a path: what may stand there, and the refusal of what may not. */
export interface PathParameter {
  schema: z.ZodType<string>;
  refusal: ErrorCode;
}

/** The path's parameters by their schemas. Throws the refusal of the first that is none. */
export function pathParametersOf(
  { params, url, originalUrl }: FastifyRequest,
  parameters: Record<string, PathParameter>,
): Record<string, string> {
  const values: Record<string, string> = {};
  // One that does not decode was made readable for the router alone: nothing in it is what the client meant.
  const decodes = url === originalUrl;
  for (const [name, { schema, refusal }] of Object.entries(parameters)) {
    const parsed = schema.safeParse((params as Record<string, string>)[name]);
    if (!decodes || !parsed.success) throw new ProblemError(refusal);
    values[name] = parsed.data;
  }
  return values;
}

/** Names and values as written; null for what does not decode. */
function written(url: string): [name: string | null, value: string | null][] {
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
