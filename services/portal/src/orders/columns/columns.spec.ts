import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CHOSEN_AT_FIRST, COLUMN_IDS, columnToggled, readColumns } from './columns.js';

describe('the choice of columns', () => {
  it('comes back as it was stored, in the order of the table', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...COLUMN_IDS]), (some) => {
        expect(readColumns(JSON.stringify(some))).toEqual(
          COLUMN_IDS.filter((id) => id === 'poNumber' || some.includes(id)),
        );
      }),
    );
  });

  it.each([null, '', '{', '{}', '3'])('is the first one where %j is stored', (stored) => {
    expect(readColumns(stored)).toEqual(CHOSEN_AT_FIRST);
  });

  it('adds one and takes it away, but never the number', () => {
    expect(columnToggled(columnToggled(CHOSEN_AT_FIRST, 'lineCount'), 'lineCount')).toEqual(CHOSEN_AT_FIRST);
    expect(columnToggled(['poNumber'], 'poNumber')).toEqual(['poNumber']);
    expect(columnToggled(['poNumber', 'qty'], 'vendor')).toEqual(['poNumber', 'vendor', 'qty']);
  });
});
