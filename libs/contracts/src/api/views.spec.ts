import { describe, expect, it } from '@jest/globals';
import { ListParameters } from './queries.js';
import { validate } from '../validation/validation.js';
import { ViewRequest } from './views.js';

const SENT = {
  status: 'New, 待审批',
  vendor: 'ACME',
  search: 'PO-1',
  overdue: 'true',
  hasPendingChanges: 'false',
  hasSourceConflict: 'true',
  due: 'REPLY_DUE,APPROVAL_DUE',
  limit: '500',
  page: '007',
  sortField: 'xfDate',
  sortDir: 'desc',
};
const refusalsOf = (query: unknown): string[] => {
  try {
    validate(ViewRequest, { name: 'Late', query }, 'body');
    return [];
  } catch (error) {
    const { options } = error as { options: { errors: { pointer: string; code: string }[] } };
    return options.errors.map(({ pointer, code }) => `${pointer} ${code}`);
  }
};

it('a view has a non-empty name without surrounding spaces', () => {
  expect(validate(ViewRequest, { name: ' Late ', query: {} }, 'body')).toMatchObject({ name: 'Late' });
  expect(ViewRequest.safeParse({ name: '  ', query: {} }).success).toBe(false);
});

describe('the query of a view', () => {
  it('keeps every parameter of the list as it was sent', () => {
    expect(validate(ViewRequest, { name: 'Late', query: SENT }, 'body')).toEqual({
      name: 'Late',
      query: SENT,
      columns: null,
      shared: false,
    });
    expect(refusalsOf({})).toEqual([]);
  });

  it.each([
    ['overdue', 'yes'],
    ['due', 'SOON'],
    ['limit', '0'],
    ['page', '1.5'],
    ['sortField', 'secret'],
    ['search', ''],
    ['vendor', 'x'.repeat(201)],
    ['status', '\u0000'],
  ])('is refused for values that the list refuses: %s=%j', (name, value) => {
    const wrong = { [name]: value };
    const list = ListParameters.safeParse(wrong).error?.issues ?? [];
    expect([list.length, refusalsOf(wrong).length]).toEqual([1, 1]);
    expect(refusalsOf(wrong)[0]).toMatch(new RegExp(`^/query/${name} `));
  });

  it('rejects unknown parameters, numbers and endless digits', () => {
    expect(refusalsOf({ serch: 'x' })).toEqual(['/query/serch UNKNOWN_FIELD']);
    expect(refusalsOf({ page: 2 })).toEqual(['/query/page INVALID_TYPE']);
    expect(refusalsOf({ page: `${'0'.repeat(20)}1` })).toEqual(['/query/page TOO_LONG']);
    expect(refusalsOf(null)).toEqual(['/query INVALID_TYPE']);
  });
});
