import { describe, expect, test } from '@jest/globals';
import { etagOf, hasVersion, stalenessOf } from './entity-tag.js';

describe('If-Match', () => {
  test.each([null, '"7"', '*', '"6", "7"'])('%s lets version 7 pass', (header) => {
    expect(stalenessOf(header, 7)).toBeNull();
  });
  test.each(['"6"', 'W/"7"', '7', ''])('%s is refused with the current version and its tag', (header) => {
    expect(stalenessOf(header, 7)).toMatchObject({
      code: 'VERSION_MISMATCH',
      members: { currentVersion: 7 },
      options: { headers: { etag: '"7"' } },
    });
  });
});

describe('If-None-Match', () => {
  test.each(['"7"', 'W/"7"', '*', '"6","7"'])('%s says that version 7 is known', (header) => {
    expect(hasVersion(header, 7)).toBe(true);
  });
  test.each([null, '"8"', '7', ''])('%s says nothing of version 7', (header) => {
    expect(hasVersion(header, 7)).toBe(false);
  });
  test('a tag is the quoted version', () => expect(etagOf(12)).toBe('"12"'));
});
