import { describe, expect, test } from '@jest/globals';
import { etagOf, stalenessOf } from './entity-tag.js';

test('the tag of a version is its number in quotes', () => expect(etagOf(12)).toBe('"12"'));

describe('If-Match', () => {
  test.each([null, '"7"', '*', '"6", "7"'])('%s lets version 7 pass', (header) => {
    expect(stalenessOf(header, 7)).toBeNull();
  });
  test('* and "1" are refused for a missing resource, whose version is 0', () => {
    expect(['*', '"1"', '"0"'].map((header) => stalenessOf(header, 0, false)?.code ?? null)).toEqual([
      'VERSION_MISMATCH',
      'VERSION_MISMATCH',
      null,
    ]);
  });
  test.each(['"6"', 'W/"7"', '7', '', '"6,7"', '"a,*,b"'])(
    '%s is refused with the current version and its tag',
    (header) => {
      expect(stalenessOf(header, 7)).toMatchObject({
        code: 'VERSION_MISMATCH',
        members: { currentVersion: 7 },
        options: { headers: { etag: '"7"' } },
      });
    },
  );
});
