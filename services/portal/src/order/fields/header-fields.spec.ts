import { describe, expect, it } from '@jest/globals';
import { ApiProblem, type ProblemDocument } from '@po/client';
import fc from 'fast-check';
import type { OrderDetail } from '../../api/schemas.js';
import { newDraft, withTyped } from '../conflict/three-way-merge.js';
import { editableOf, fieldErrorsOf, orderWith, patchOf, readDraft, serializeDraft, valuesOf } from './header-fields.js';

const ORDER = {
  statusId: 150,
  originalXfd: '2027-03-01',
  vendorReplyXfd: null,
  xfDate: '2027-03-01',
  factory: 'Ningbo 2',
  originalFactory: 'Ningbo 2',
  vendorReplyFactory: null,
  vendorReplyComment: 'c',
  containerNumber: null,
  trackingNumber: null,
  editableFields: ['tracking_number', 'vendorReplyQty', 'container_number'],
} as unknown as OrderDetail;

describe('the header fields of an order', () => {
  it('are editable if the API lists them for this user', () => {
    expect(editableOf(ORDER)).toEqual(['container_number', 'tracking_number']);
  });

  it('are compared together with the status and the originals', () => {
    expect(Object.fromEntries(valuesOf(ORDER))).toEqual({
      vendor_reply_xfd: null,
      vendor_reply_factory: null,
      vendor_reply_comment: 'c',
      container_number: null,
      tracking_number: null,
      statusId: '150',
      originalXfd: '2027-03-01',
      originalFactory: 'Ningbo 2',
    });
  });

  it('are null if an older API leaves them out', () => {
    const { vendorReplyFactory: _later, ...older } = ORDER;
    expect(valuesOf(older as OrderDetail).get('vendor_reply_factory')).toBeNull();
  });

  it('are sent trimmed, and cleared if they are blank', () => {
    const mine = new Map([
      ['vendor_reply_factory', '  Hefei '],
      ['tracking_number', '  '],
      ['vendor_reply_xfd', null],
    ]);
    expect(patchOf(mine)).toEqual({ vendor_reply_factory: 'Hefei', tracking_number: null, vendor_reply_xfd: null });
  });

  it('set the current value, and restore the original when cleared', () => {
    const moved = orderWith(ORDER, { vendor_reply_xfd: '2027-03-09', vendor_reply_factory: 'Hefei' });
    expect([moved.xfDate, moved.factory, moved.vendorReplyXfd]).toEqual(['2027-03-09', 'Hefei', '2027-03-09']);
    const back = orderWith(moved, { vendor_reply_xfd: null });
    expect([back.xfDate, back.factory]).toEqual(['2027-03-01', 'Hefei']);
  });

  it('get the API errors that concern them and no others', () => {
    const errors = [
      { in: 'body', pointer: '/vendor_reply_xfd', code: 'x', message: 'too early' },
      { in: 'body', pointer: '/other', code: 'x', message: 'unknown' },
      { in: 'query', pointer: '/tracking_number', code: 'x', message: 'no' },
    ];
    const problem = new ApiProblem({ errors } as unknown as ProblemDocument, new Response(null, { status: 422 }));
    expect(fieldErrorsOf(problem)).toEqual({ vendor_reply_xfd: 'Too early' });
    expect(fieldErrorsOf(new TypeError('fetch failed'))).toEqual({});
  });
});

describe('a stored header draft', () => {
  it('is read back as stored', () => {
    const name = fc.constantFrom('container_number', 'tracking_number');
    fc.assert(
      fc.property(fc.nat(), name, fc.option(fc.string({ unit: 'grapheme' })), (version, field, value) => {
        const draft = withTyped(newDraft(valuesOf(ORDER)), valuesOf(ORDER), field, value);
        expect(readDraft(serializeDraft(draft))).toEqual(draft.mine.size === 0 ? null : draft);
      }),
    );
  });

  it('is read without fields that this version of the portal does not know', () => {
    const typed = [
      ['later_field', 'L'],
      ['tracking_number', 'T'],
      ['__proto__', 'P'],
    ];
    const known = [
      ['tracking_number', null],
      ['statusId', '100'],
    ];
    const text = JSON.stringify({ base: [...known, ['later_field', null]], mine: typed });
    expect(readDraft(text)).toEqual({ base: new Map(known as never), mine: new Map([['tracking_number', 'T']]) });
  });

  it.each([
    '',
    'null',
    '{}',
    '[]',
    '{"version":1,"base":[],"mine":[["a",1]]}',
    '{"version":1,"base":{},"mine":[["a","1"]]}',
    '{"version":1,"base":[],"mine":[]}',
    '{"version":1,"base":[],"mine":[["later_field","1"]]}',
    '{',
  ])('is null if the stored text is %j', (text) => {
    expect(readDraft(text)).toBeNull();
  });
});
