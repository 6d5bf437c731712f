import { type FieldError, ProblemError, canonicalPoRef, invalid, text, validated } from '@po/contracts';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';

const FORBIDDEN = /(^|[.[\]])(__proto__|constructor)($|[.[\]])/;

/** For routes without query parameters. */
export const NoQuery = z.object({});

/**
 * The query's known parameters by their schema; unknown ones are ignored. Throws VALIDATION_FAILED for a known one that is repeated,
 * badly encoded or wrong, and for the names that objects inherit by.
 */
export function queryOf<S extends z.ZodObject>(request: FastifyRequest, schema: S): z.output<S> {
  const { locale } = request.context;
  const values: Record<string, string> = {};
  const errors: FieldError[] = [];
  const refuse = (name: string, code: string, en: string, zh: string) =>
    errors.push({ in: 'query', pointer: `/${name}`, code, message: locale === 'zh' ? zh : en });
  for (const [name, value] of written(request.raw.url ?? '')) {
    if (name !== null && FORBIDDEN.test(name)) refuse(name, 'UNKNOWN_FIELD', 'unknown parameter', '未知参数');
    if (name === null || !Object.hasOwn(schema.shape, name)) continue;
    if (value === null) refuse(name, 'INVALID_FORMAT', 'must be percent-encoded UTF-8', '必须是百分号编码的 UTF-8');
    else if (Object.hasOwn(values, name)) refuse(name, 'REPEATED', 'must not be repeated', '不能重复');
    else values[name] = value;
  }
  if (errors.length > 0) throw invalid(errors);
  return validated(schema, values, { in: 'query', locale });
}

/** The PO number of the path; PO_NOT_FOUND for what cannot be one. */
export function poRefOf({ params }: FastifyRequest): string {
  const poRef = canonicalPoRef((params as { poRef: string }).poRef);
  if (poRef === null) throw new ProblemError('PO_NOT_FOUND');
  return poRef;
}

const NotificationId = text(100).min(1);

/** The notification id of the path, or `all`; NOTIFICATION_NOT_FOUND for what cannot be one. */
export function notificationIdOf({ params }: FastifyRequest): string {
  const id = NotificationId.safeParse((params as { id: string }).id);
  if (!id.success) throw new ProblemError('NOTIFICATION_NOT_FOUND');
  return id.data;
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
