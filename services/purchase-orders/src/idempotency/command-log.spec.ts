import { expect, test } from '@jest/globals';
import { canonicalJson } from './command-log.js';

test('the order of keys and undefined values do not matter; order of elements does', () => {
  expect(canonicalJson({ b: 1, a: { d: [1, 2], c: null } })).toBe(canonicalJson({ a: { c: null, d: [1, 2] }, b: 1 }));
  expect(canonicalJson({ a: 1, b: undefined })).toBe('{"a":1}');
  expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]));
  expect(canonicalJson({ a: null })).not.toBe(canonicalJson({}));
});
