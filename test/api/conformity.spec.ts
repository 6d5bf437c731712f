import { describe, expect, it } from '@jest/globals';
import { ProblemError, problemDocument } from '@po/contracts';
import { expectConformity } from './conformity.js';

const ORDER = '/purchase-orders/PO-1';
const LINES = `${ORDER}/line-items`;

const HEADERS = { 'x-request-id': 'r', 'x-api-version': '1', 'cache-control': 'no-store' };

const answer = (status: number, body: unknown, headers: Record<string, string> = {}) => ({
  status,
  headers: new Headers({ 'content-type': 'application/json; charset=utf-8', ...HEADERS, ...headers }),
  body,
  text: body === undefined ? '' : JSON.stringify(body),
});
const problem = (body: object, status = 404) =>
  answer(status, body, { 'content-type': 'application/problem+json; charset=utf-8', 'content-language': 'en' });
const kpis = {
  new: 1,
  revision: 0,
  pending: 0,
  confirmed: 0,
  production: 0,
  shipped: 0,
  delivered: 0,
  cancelled: 0,
};
const cell = { qty: 1, originalQty: 1, vendorReplyQty: null, agreedQty: null, rowHash: 'a', lineId: '1' };
const line = (sizes: object) => ({
  code: 'C',
  style: 'S',
  color: 'RED',
  unitPrice: 1,
  originalUnitPrice: 1,
  vendorReplyUnitPrice: null,
  agreedUnitPrice: null,
  sizes,
  sizeOrder: ['M'],
  totalQty: 1,
  originalTotalQty: 1,
  totalAmount: 1,
  originalTotalAmount: 1,
  isModified: false,
});
const unknown = problemDocument(new ProblemError('PO_NOT_FOUND'), { locale: 'en', instance: '/api/x', requestId: 'r' });

const ETAG = { etag: '"1"' };

describe('expectConformity', () => {
  it('accepts documented answers', () => {
    expectConformity('GET', '/dashboard/kpis?x=1', answer(200, kpis));
    expectConformity('GET', LINES, answer(200, [line({ M: cell })], ETAG));
    const none = { data: [], pagination: { total: 0, page: 1, limit: 50, totalPages: 0 } };
    // Without Link, as for a filter with thousands of characters.
    expectConformity('GET', '/purchase-orders', answer(200, none, { 'x-total-count': '0' }));
    expectConformity('PUT', '/notifications/7/read', answer(200, { success: true }));
    expectConformity('HEAD', '/me', answer(200, undefined));
    expectConformity('GET', ORDER, answer(304, undefined, ETAG));
    expect(() => expectConformity('GET', ORDER, problem(unknown))).not.toThrow();
  });

  it.each<[string, string, string, ReturnType<typeof answer>, RegExp]>([
    ['an additional member', 'GET', '/dashboard/kpis', answer(200, { ...kpis, draft: 1 }), /unevaluated.*draft/],
    ['a missing member', 'GET', '/dashboard/kpis', answer(200, { ...kpis, cancelled: undefined }), /cancelled/],
    ['an additional nested member', 'GET', LINES, answer(200, [line({ M: { ...cell, extra: 1 } })], ETAG), /extra/],
    ['a missing header', 'GET', LINES, answer(200, [line({ M: cell })]), /the header ETag is missing/],
    ['a wrong header value', 'GET', '/dashboard/kpis', answer(200, kpis, { 'x-api-version': '2' }), /Version: 2/],
    ['a status that the operation does not have', 'GET', '/me', problem(unknown), /404 is not a documented answer/],
    ['a body in an answer to HEAD', 'HEAD', '/dashboard/kpis', answer(200, kpis), /the body is not documented/],
    ['a problem whose status differs from the answer', 'GET', ORDER, problem(unknown, 403), /\/status must/],
    [
      'a problem as plain JSON',
      'GET',
      ORDER,
      answer(404, unknown, { 'content-language': 'en' }),
      /not a documented media/,
    ],
    ['an additional member of a problem', 'GET', ORDER, problem({ ...unknown, stack: 'Error' }), /unevaluated.*stack/],
  ])('refuses %s', (_what, method, path, wrong, message) => {
    expect(() => expectConformity(method, path, wrong)).toThrow(message);
  });
});
