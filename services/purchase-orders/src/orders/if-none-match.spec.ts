import { describe, expect, test } from '@jest/globals';
import { hasVersion } from './if-none-match.js';

describe('If-None-Match', () => {
  test.each(['"7"', 'W/"7"', '*', '"6","7"'])('%s matches version 7', (header) => {
    expect(hasVersion(header, 7)).toBe(true);
  });
  test.each([null, '"8"', '7', ''])('%s does not match version 7', (header) => {
    expect(hasVersion(header, 7)).toBe(false);
  });
});
