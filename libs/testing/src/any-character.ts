import fc from 'fast-check';

/** Any character, like fast-check's unit `binary`, which first lists all characters and takes half a second per file. */
export const anyCharacter = fc
  .nat(0x10ffff)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code), codeOf);

/** Inverse mapping, which allows fast-check to also try names such as `__proto__`. */
function codeOf(value: unknown): number {
  const code = typeof value === 'string' ? value.codePointAt(0) : undefined;
  if (code === undefined || String.fromCodePoint(code) !== value) throw new Error('this is not one character');
  return code;
}
