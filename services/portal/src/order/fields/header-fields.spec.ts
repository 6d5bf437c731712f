import { describe, expect, it } from '@jest/globals';
import { ApiProblem, type ProblemDocument } from '@po/client';
import fc from 'fast-check';
import type { OrderDetail } from '../../api/schemas.js';
import { newDraft, typed } from '../conflict/three-way-merge.js';
import { editableOf, fieldErrorsOf, orderWith, patchOf, readDraft, valuesOf, written } from './header-fields.js';

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

describe('the fields of an order`s head', () => {
  it('are those that the API lets this user type into', () => {
    expect(editableOf(ORDER)).toEqual(['container_number', 'tracking_number']);
  });

  it('are seen with what makes typing pointless', () => {
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

  it('are none where the API leaves them out, as one from before the field does', () => {
    const { vendorReplyFactory: _later, ...older } = ORDER;
    expect(valuesOf(older as OrderDetail).get('vendor_reply_factory')).toBeNull();
  });

  it('are sent without spaces around them; nothing but spaces clears one', () => {
    const mine = new Map([
      ['vendor_reply_factory', '  Hefei '],
      ['tracking_number', '  '],
      ['vendor_reply_xfd', null],
    ]);
    expect(patchOf(mine)).toEqual({ vendor_reply_factory: 'Hefei', tracking_number: null, vendor_reply_xfd: null });
  });

  it('count as soon as they are saved, and not after they are cleared', () => {
    const moved = orderWith(ORDER, { vendor_reply_xfd: '2027-03-09', vendor_reply_factory: 'Hefei' });
    expect([moved.xfDate, moved.factory, moved.vendorReplyXfd]).toEqual(['2027-03-09', 'Hefei', '2027-03-09']);
    const back = orderWith(moved, { vendor_reply_xfd: null });
    expect([back.xfDate, back.factory]).toEqual(['2027-03-01', 'Hefei']);
  });

  it('have the errors that the API tells of them, and of nothing else', () => {
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

describe('a draft that is kept', () => {
  it('is read as it was written', () => {
    const name = fc.constantFrom('container_number', 'tracking_number', '__proto__');
    fc.assert(
      fc.property(fc.nat(), name, fc.option(fc.string({ unit: 'grapheme' })), (version, field, value) => {
        const draft = typed(newDraft(version, valuesOf(ORDER)), valuesOf(ORDER), field, value);
        expect(readDraft(written(draft))).toEqual(draft.mine.size === 0 ? null : draft);
      }),
    );
  });

  it.each([
    '',
    'null',
    '{}',
    '[]',
    '{"version":1,"base":[],"mine":[["a",1]]}',
    '{"version":1,"base":{},"mine":[["a","1"]]}',
    '{"version":1,"base":[],"mine":[]}',
    '{',
  ])('is none where %j is written', (text) => {
    expect(readDraft(text)).toBeNull();
  });
});
