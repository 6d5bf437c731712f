const JSON_TYPE = 'application/json';

/**
 * True for `application/json`, with `charset=utf-8` or without, in any case and spacing. Read piece by piece: a pattern with several
 * runs of optional spaces takes time by the square of the spaces that a client sends.
 */
export function isJson(mediaType: string): boolean {
  const [type = '', ...parameters] = mediaType.toLowerCase().split(';', 4);
  // One semicolon may stand behind the last parameter.
  if (parameters.at(-1)?.trim() === '') parameters.pop();
  return type.trimEnd() === JSON_TYPE && parameters.length <= 1 && parameters.every(isUtf8Charset);
}

function isUtf8Charset(parameter: string): boolean {
  const [name = '', value = '', ...more] = parameter.split('=', 3);
  return name.trim() === 'charset' && unquoted(value.trim()) === 'utf-8' && more.length === 0;
}

const unquoted = (value: string): string =>
  value.slice(value.startsWith('"') ? 1 : 0, value.endsWith('"') ? -1 : undefined);
