import { describe, expect, it } from '@jest/globals';
import { textOf } from './text.js';

const bytes = (...all: (string | number)[]) =>
  Uint8Array.from(all.flatMap((part) => (typeof part === 'number' ? [part] : [...new TextEncoder().encode(part)])));

describe('the text of a file', () => {
  it.each<[string, Uint8Array, string, boolean]>([
    ['UTF-8', bytes('a,海'), 'a,海', false],
    ['UTF-8 with its mark', bytes(0xef, 0xbb, 0xbf, 'a,海'), 'a,海', false],
    ['UTF-16', bytes(0xff, 0xfe, 0x61, 0, 0x77, 0x6d), 'a海', false],
    ['UTF-16 the other way', bytes(0xfe, 0xff, 0, 0x61, 0x6d, 0x77), 'a海', false],
    ['GBK', bytes('a,', 0xba, 0xa3), 'a,海', true],
    ['Windows-1252', bytes(0x80, ',', 0xe9), '€,é', true],
  ])('in %s', (_encoding, file, text, isGuessed) => {
    expect(textOf(file, false)).toEqual({ text, isGuessed });
  });

  it.each([
    ['nothing', bytes(), false],
    ['zeros', bytes('a', 0), false],
    ['zeros behind the mark of UTF-8', bytes(0xef, 0xbb, 0xbf, 0), false],
    ['half a character behind a mark', bytes(0xff, 0xfe, 0x61), false],
    ['GBK that was said to be UTF-8', bytes('a,', 0xba, 0xa3), true],
    ['UTF-16 that was said to be UTF-8', bytes(0xff, 0xfe, 0x61, 0), true],
  ])('is none: %s', (_what, file, saysUtf8) => {
    expect(() => textOf(file, saysUtf8)).toThrow('notCsv');
  });
});
