import { expect, test } from '@jest/globals';
import { hashOfJson } from './json-hash.js';

test('a hash depends on the order of array elements, but not on the order of keys or on undefined values', () => {
  const hash = hashOfJson({ b: 1, a: { d: [1, 2], c: null } });
  expect(hash).toMatch(/^[0-9a-f]{64}$/);
  expect(hashOfJson({ a: { c: null, d: [1, 2] }, b: 1, e: undefined })).toBe(hash);
  expect(hashOfJson([1, 2])).not.toBe(hashOfJson([2, 1]));
  expect(hashOfJson({ a: null })).not.toBe(hashOfJson({}));
});
