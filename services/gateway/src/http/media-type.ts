/** A `Content-Type`: its type in lower case, and whether it says `charset=utf-8`. */
export interface MediaType {
  type: string;
  isUtf8: boolean;
}

/** Parameters that may stand behind a type, beside a charset, and mean nothing here: RFC 4180 has one for CSV. */
const MEANINGLESS: Readonly<Record<string, readonly string[]>> = { 'text/csv': ['header'] };

/**
 * Reads a media type with `charset=utf-8` or without, in any case and spacing; null for one with anything else behind it. Read piece by
 * piece: a pattern with several runs of optional spaces takes time by the square of the spaces that a client sends.
 */
export function mediaTypeOf(contentType: string): MediaType | null {
  const [type = '', ...parameters] = contentType.toLowerCase().split(';', 5);
  // One semicolon may stand behind the last parameter.
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
