import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import {
  ActionsParameters,
  DetailParameters,
  type FieldError,
  HeaderPatch,
  LinesPatch,
  ListParameters,
  MessageRequest,
  ProblemError,
  TransitionRequest,
  TransitionsRequest,
  ViewRequest,
  problemDocument,
  validate,
} from '../index.js';
import { nearest } from './nearest.js';
import { Price, SourcePrice } from './text.js';

function errorsOf(schema: z.ZodType, value: unknown, locale: 'en' | 'zh' = 'en'): FieldError[] {
  try {
    validate(schema, value, 'body');
  } catch (error) {
    if (!(error instanceof ProblemError && error.code === 'VALIDATION_FAILED')) throw error;
    return problemDocument(error, { locale, instance: '/', requestId: 'r' }).errors ?? [];
  }
  throw new Error('the value passed');
}

describe('validated', () => {
  it('returns the parsed value', () => {
    expect(validate(TransitionRequest, { action: 'SUBMIT' }, 'body')).toEqual({
      action: 'SUBMIT',
    });
  });

  it('suggests the probably intended name for an unknown field', () => {
    expect(errorsOf(HeaderPatch, { vendor_reply_xdf: '2026-01-01' })[0]).toEqual({
      in: 'body',
      pointer: '/vendor_reply_xdf',
      code: 'UNKNOWN_FIELD',
      message: 'unknown field; did you mean vendor_reply_xfd?',
    });
    expect(errorsOf(HeaderPatch, { trackingNumber: 'T' })[0]?.message).toContain('did you mean tracking_number?');
    expect(errorsOf(LinesPatch, { lines: [{ rowHash: 'a', vendorReplyQuantity: 1 }] })).toContainEqual({
      in: 'body',
      pointer: '/lines/0/vendorReplyQuantity',
      code: 'UNKNOWN_FIELD',
      message: 'unknown field; did you mean vendorReplyQty?',
    });
    expect(errorsOf(TransitionRequest, { action: 'SUBMIT', status: 300 })[0]?.message).toBe(
      'unknown field; allowed are action, comment',
    );
  });

  it.each(['__proto__', 'constructor', 'a/b~c'])('has the JSON pointer of the unknown field %s', (name) => {
    const body: unknown = JSON.parse(`{"action":"SUBMIT","${name}":{}}`);
    expect(errorsOf(TransitionRequest, body)).toMatchObject([
      { pointer: `/${name.replace('~', '~0').replace('/', '~1')}`, code: 'UNKNOWN_FIELD' },
    ]);
  });

  it.each<[z.ZodType, unknown, string, string]>([
    [TransitionRequest, {}, '/action', 'REQUIRED'],
    [TransitionRequest, { action: 'SUBMITT' }, '/action', 'NOT_ALLOWED'],
    [TransitionRequest, { action: 'SUBMIT', comment: 'x'.repeat(2001) }, '/comment', 'TOO_LONG'],
    [TransitionRequest, { action: 'SUBMIT', comment: 'a\u0000' }, '/comment', 'INVALID_TEXT'],
    [TransitionRequest, { action: 'SUBMIT', comment: 7 }, '/comment', 'INVALID_TYPE'],
    [TransitionRequest, [], '', 'INVALID_TYPE'],
    [HeaderPatch, {}, '', 'EMPTY_PATCH'],
    [HeaderPatch, { container_number: 'MSKU1\nMSKU2' }, '/container_number', 'NOT_ONE_LINE'],
    [HeaderPatch, { tracking_number: 'a\u2028b' }, '/tracking_number', 'NOT_ONE_LINE'],
    [ViewRequest, { name: 'a\tb', query: {} }, '/name', 'NOT_ONE_LINE'],
    [ViewRequest, { name: 'a', query: {}, columns: ['status', 'amount', 'status'] }, '/columns/2', 'DUPLICATE'],
    [HeaderPatch, { vendor_reply_xfd: '2026-02-30' }, '/vendor_reply_xfd', 'INVALID_DATE'],
    [LinesPatch, { lines: [] }, '/lines', 'TOO_SMALL'],
    [LinesPatch, { lines: Array(1001).fill({ rowHash: 'a', vendorReplyQty: 1 }) }, '/lines', 'TOO_LARGE'],
    [LinesPatch, { lines: [{ rowHash: 'a' }] }, '/lines/0', 'EMPTY_PATCH'],
    [LinesPatch, { lines: [{ rowHash: 'a\u0000', vendorReplyQty: 1 }] }, '/lines/0/rowHash', 'INVALID_TEXT'],
    [LinesPatch, { lines: [{ rowHash: '\ud800', vendorReplyQty: 1 }] }, '/lines/0/rowHash', 'INVALID_TEXT'],
    [LinesPatch, { lines: [{ rowHash: 'a', vendorReplyQty: 1.5 }] }, '/lines/0/vendorReplyQty', 'INVALID_TYPE'],
    [LinesPatch, { lines: [{ rowHash: 'a', vendorReplyQty: -1 }] }, '/lines/0/vendorReplyQty', 'TOO_SMALL'],
    [LinesPatch, { lines: [{ rowHash: 'a', vendorReplyUnitPrice: 0 }] }, '/lines/0/vendorReplyUnitPrice', 'TOO_SMALL'],
    [
      LinesPatch,
      { lines: [{ rowHash: 'a', vendorReplyUnitPrice: 1.23456 }] },
      '/lines/0/vendorReplyUnitPrice',
      'TOO_MANY_DECIMALS',
    ],
    [ListParameters, { limit: '0' }, '/limit', 'INVALID_INTEGER'],
    [ListParameters, { page: 'x' }, '/page', 'INVALID_INTEGER'],
    [ListParameters, { sortField: 'name' }, '/sortField', 'NOT_ALLOWED'],
    [ListParameters, { search: '' }, '/search', 'TOO_SHORT'],
    [ListParameters, { buyer: '' }, '/buyer', 'TOO_SHORT'],
    [ListParameters, { buyer: 'x'.repeat(321) }, '/buyer', 'TOO_LONG'],
    [ListParameters, { poRef: ' ,' }, '/poRef', 'INVALID_PO_NUMBER'],
    [ListParameters, { poRef: 'PO-1,PO/2' }, '/poRef', 'INVALID_PO_NUMBER'],
    [ActionsParameters, { statusId: '1.5', role: 'VENDOR' }, '/statusId', 'INVALID_INTEGER'],
    [ActionsParameters, { statusId: '100' }, '/role', 'REQUIRED'],
    [DetailParameters, { include: 'history' }, '/include', 'NOT_ALLOWED'],
  ])('reports the pointer and code of an invalid value in both languages (%#)', (schema, value, pointer, code) => {
    const [en, zh] = (['en', 'zh'] as const).map((locale) => errorsOf(schema, value, locale));
    expect(en).toContainEqual(expect.objectContaining({ pointer, code }));
    for (const error of en ?? []) expect(error.message).not.toMatch(/[\u4e00-\u9fff]|undefined/);
    for (const error of zh ?? []) expect(error.message).toMatch(/[\u4e00-\u9fff]/);
  });

  it('reports at most a hundred errors and shortens overlong pointers', () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`field${index}`, 1]));
    expect(errorsOf(HeaderPatch, many)).toHaveLength(100);
    expect(errorsOf(HeaderPatch, { ['x'.repeat(100_000)]: 1 })[0]?.pointer.length).toBeLessThan(200);
  });
});

describe('the nearest candidate', () => {
  it.each([
    ['commnet', 'comment'],
    ['Comment', 'comment'],
    ['liens', 'lines'],
    ['vendorReplyXfd', 'vendor_reply_xfd'],
    ['zzzzzz', null],
    ['', null],
    ['x'.repeat(1000), null],
  ])('for %s is %s', (word, expected) => {
    expect(nearest(word, ['comment', 'action', 'lines', 'vendor_reply_xfd'])).toBe(expected);
  });
});

it('references that only an order can check may have any length', () => {
  const long = 'x'.repeat(1_000);
  for (const [schema, value] of [
    [MessageRequest, { body: 'x', rows: [long], mentions: ['', long] }],
    [TransitionsRequest, { items: [{ poRef: long, action: 'SUBMIT' }] }],
  ] as const)
    expect(schema.safeParse(value).success).toBe(true);
});

it.each([
  [SourcePrice, 0, true],
  [SourcePrice, -0.0001, false],
  [Price, 0, false],
  [Price, 0.0001, true],
])('a price of the source may be 0, but not that of a reply (%#)', (schema, price, isTaken) => {
  expect(schema.safeParse(price).success).toBe(isTaken);
});
