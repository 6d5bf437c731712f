/** A parsed `Content-Type`: its type in lower case, and whether it has `charset=utf-8`. */
export interface MediaType {
  type: string;
  isUtf8: boolean;
}

/** Parameters besides charset that are accepted and ignored: RFC 4180 has one for CSV. */
const MEANINGLESS: Readonly<Record<string, readonly string[]>> = { 'text/csv': ['header'] };

/**
 * Parses a media type with or without `charset=utf-8`, in any case and spacing; null for one with any other parameter. It is split into
 * pieces, because a pattern with several runs of optional spaces takes quadratic time in the spaces that a client sends.
 */
export function mediaTypeOf(contentType: string): MediaType | null {
  const [type = '', ...parameters] = contentType.toLowerCase().split(';', 5);
  // One semicolon may follow the last parameter.
  if (parameters.at(-1)?.trim() === '') parameters.pop();
  const name = type.trimEnd();
  const pairs = parameters.map(pairOf).filter(([key]) => !MEANINGLESS[name]?.includes(key));
  if (
    parameters.length > 2 ||
    pairs.length > 1 ||
    !pairs.every(([key, value]) => key === 'charset' && value === 'utf-8')
  )
    return null;
  return { type: name, isUtf8: pairs.length === 1 };
}

function pairOf(parameter: string): [name: string, value: string | null] {
  const [name = '', value = '', ...more] = parameter.split('=', 3);
  return [name.trim(), more.length > 0 ? null : unquoted(value.trim())];
}

const unquoted = (value: string): string =>
  value.slice(value.startsWith('"') ? 1 : 0, value.endsWith('"') ? -1 : undefined);
