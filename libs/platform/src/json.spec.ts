import { describe, expect, it } from '@jest/globals';
import { parseJson } from './json.js';

describe('parsing JSON in UTF-8', () => {
  it('returns the value unchanged', () => {
    expect(parseJson(Buffer.from('{"färbe":["蓝",1.5,null]}'))).toEqual({ färbe: ['蓝', 1.5, null] });
  });

  it.each<[string, number[], string]>([
    ['a lone continuation byte', [0x22, 0x80, 0x22], 'not UTF-8'],
    ['an overlong slash', [0x22, 0xc0, 0xaf, 0x22], 'not UTF-8'],
    ['half a surrogate pair', [0x22, 0xed, 0xa0, 0x80, 0x22], 'not UTF-8'],
    ['UTF-16', [...Buffer.from('"\u00e9"', 'utf16le')], 'not UTF-8'],
    ['empty input', [], 'not JSON'],
    ['text after the value', [...Buffer.from('1 2')], 'not JSON'],
    ['a comment', [...Buffer.from('1 // one')], 'not JSON'],
  ])('refuses %s', (_what, bytes, refusal) => {
    expect(() => parseJson(Uint8Array.from(bytes))).toThrow(refusal);
  });
});
