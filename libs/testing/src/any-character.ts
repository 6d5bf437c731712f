import fc from 'fast-check';

const SURROGATES = { from: 0xd800, count: 0x800 };

/** Any character, as fast-check's unit `binary`, which first lists them all: half a second of every file. */
export const anyCharacter = fc
  .nat(0x10ffff - SURROGATES.count)
  .map((index) => String.fromCodePoint(index < SURROGATES.from ? index : index + SURROGATES.count), indexOf);

/** Told which it makes, fast-check also tries names such as `__proto__`. */
function indexOf(value: unknown): number {
  const [character, ...others] = typeof value === 'string' ? value : '';
  const code = character?.codePointAt(0);
  if (code === undefined || others.length > 0) throw new Error('this is not one character');
  return code < SURROGATES.from ? code : code - SURROGATES.count;
}
