import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { mediaTypeOf } from './media-type.js';

const isJson = (contentType: string) => mediaTypeOf(contentType)?.type === 'application/json';

/** The accepted values as a pattern. It is correct, but its time grows with the square of the spaces in a value that it refuses. */
const ACCEPTED = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?;?\s*$/i;

it.each([
  ['application/json', true],
  ['Application/JSON ; Charset = "UTF-8" ; ', true],
  ['application/json;', true],
  ['application/json;;', false],
  [' application/json', false],
  ['application/jsonx', false],
  ['application/json; charset=utf-16', false],
  ['application/json; charset=utf-8; charset=utf-8', false],
  ['application/json; charset=utf-8=', false],
  ['application/json; boundary=x', false],
  ['', false],
])('mediaTypeOf recognizes "%s" as JSON: %p', (mediaType, expected) => {
  expect(isJson(mediaType)).toBe(expected);
});

it('mediaTypeOf accepts as JSON what the pattern accepts, and nothing else', () => {
  const piece = fc.constantFrom('application/json', ';', ' ', '\t', 'charset', 'CHARSET', '=', '"', 'utf-8', 'x');
  const nearly = fc
    .tuple(fc.constantFrom('', ' '), fc.array(piece, { maxLength: 9 }))
    .map(([start, rest]) => `${start}application/json${rest.join('')}`);
  const spelt = fc
    .array(fc.constantFrom('', '', ' ', '"', ';'), { minLength: 6, maxLength: 6 })
    .map(([a, b, c, d, e, f]) => `application/json${a};${b}charset${c}=${d}utf-8${e}${f}`);
  let accepted = 0;
  fc.assert(
    fc.property(
      fc.oneof(
        nearly,
        spelt,
        fc.array(piece).map((pieces) => pieces.join('')),
      ),
      (mediaType) => {
        if (ACCEPTED.test(mediaType)) accepted += 1;
        expect(isJson(mediaType)).toBe(ACCEPTED.test(mediaType));
      },
    ),
    { numRuns: 3_000 },
  );
  expect(accepted).toBeGreaterThan(100);
});

it.each([
  ['text/csv', { type: 'text/csv', isUtf8: false }],
  ['Text/CSV; header=present; Charset=UTF-8', { type: 'text/csv', isUtf8: true }],
  ['text/csv; charset=gbk', null],
  ['text/csv; header=present; charset=utf-8; charset=gbk', null],
  ['text/csv; header=present; header=present; header=present; charset=gbk', null],
  ['application/json; header=present', null],
])('mediaTypeOf reads %j as %j', (contentType, expected) => {
  expect(mediaTypeOf(contentType)).toEqual(expected);
});
