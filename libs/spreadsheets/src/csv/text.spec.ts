import { describe, expect, it } from '@jest/globals';
import { textOf } from './text.js';

const bytes = (...all: (string | number)[]) =>
  Uint8Array.from(all.flatMap((part) => (typeof part === 'number' ? [part] : [...new TextEncoder().encode(part)])));

describe('the text of a CSV file', () => {
  it.each<[string, Uint8Array, string, boolean]>([
    ['UTF-8', bytes('a,海'), 'a,海', false],
    ['UTF-8 with a byte order mark', bytes(0xef, 0xbb, 0xbf, 'a,海'), 'a,海', false],
    ['UTF-16', bytes(0xff, 0xfe, 0x61, 0, 0x77, 0x6d), 'a海', false],
    ['big-endian UTF-16', bytes(0xfe, 0xff, 0, 0x61, 0x6d, 0x77), 'a海', false],
    ['GBK', bytes('a,', 0xba, 0xa3), 'a,海', true],
    ['Windows-1252', bytes(0x80, ',', 0xe9), '€,é', true],
  ])('is decoded from %s', (_encoding, file, text, isGuessed) => {
    expect(textOf(file, false)).toEqual({ text, isGuessed });
  });

  it.each([
    ['an empty file', bytes(), false],
    ['null bytes', bytes('a', 0), false],
    ['null bytes after a UTF-8 byte order mark', bytes(0xef, 0xbb, 0xbf, 0), false],
    ['half a character after a byte order mark', bytes(0xff, 0xfe, 0x61), false],
    ['GBK declared as UTF-8', bytes('a,', 0xba, 0xa3), true],
    ['UTF-16 declared as UTF-8', bytes(0xff, 0xfe, 0x61, 0), true],
  ])('is rejected: %s', (_what, file, saysUtf8) => {
    expect(() => textOf(file, saysUtf8)).toThrow('notCsv');
  });
});
