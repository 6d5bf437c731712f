import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { DEFAULT_COLUMNS, COLUMN_IDS, columnToggled, readColumns } from './columns.js';

describe('the choice of columns', () => {
  it('is read back as stored, in the order of the table', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray([...COLUMN_IDS]), (some) => {
        expect(readColumns(JSON.stringify(some))).toEqual(
          COLUMN_IDS.filter((id) => id === 'poNumber' || some.includes(id)),
        );
      }),
    );
  });

  it.each([null, '', '{', '{}', '3'])('is the default if %j is stored', (stored) => {
    expect(readColumns(stored)).toEqual(DEFAULT_COLUMNS);
  });

  it('adds and removes a column, but never removes the PO number', () => {
    expect(columnToggled(columnToggled(DEFAULT_COLUMNS, 'lineCount'), 'lineCount')).toEqual(DEFAULT_COLUMNS);
    expect(columnToggled(['poNumber'], 'poNumber')).toEqual(['poNumber']);
    expect(columnToggled(['poNumber', 'qty'], 'vendor')).toEqual(['poNumber', 'vendor', 'qty']);
  });
});
