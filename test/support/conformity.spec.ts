import { describe, expect, it } from '@jest/globals';
import { ProblemError, problemDocument } from '@po/contracts';
import { expectConformity } from './conformity.js';

const LINES = '/purchase-orders/PO-1/line-items';

const answer = (status: number, body: unknown, type = 'application/json') => ({
  status,
  headers: new Headers({ 'content-type': `${type}; charset=utf-8` }),
  body,
  text: body === undefined ? '' : JSON.stringify(body),
});
const problem = (body: object, status = 404) => answer(status, body, 'application/problem+json');
const kpis = {
  ...{ new: 1, revision: 0, pending: 0, confirmed: 0 },
  ...{ production: 0, shipped: 0, delivered: 0, cancelled: 0 },
};
const cell = { qty: 1, originalQty: 1, vendorReplyQty: null, agreedQty: null, rowHash: 'a', lineId: '1' };
const line = (sizes: object) => ({
  ...{ code: 'C', style: 'S', color: 'RED', unitPrice: 1, originalUnitPrice: 1, vendorReplyUnitPrice: null },
  ...{ agreedUnitPrice: null, sizes, sizeOrder: ['M'], totalQty: 1, originalTotalQty: 1, totalAmount: 1 },
  ...{ originalTotalAmount: 1, isModified: false },
});
const unknown = problemDocument(new ProblemError('PO_NOT_FOUND'), { locale: 'en', instance: '/api/x', requestId: 'r' });

describe('expectConformity', () => {
  it('lets declared answers pass', () => {
    expectConformity('GET', '/dashboard/kpis?x=1', answer(200, kpis));
    expectConformity('GET', LINES, answer(200, [line({ M: cell })]));
    expectConformity('PUT', '/notifications/7/read', answer(200, { success: true }));
    expectConformity('HEAD', '/me', answer(200, undefined));
    expectConformity('GET', '/purchase-orders/PO-1', answer(304, undefined));
    expect(() => expectConformity('GET', '/purchase-orders/PO-1', problem(unknown))).not.toThrow();
  });

  it.each<[string, string, string, ReturnType<typeof answer>, RegExp]>([
    [
      'a member too many',
      'GET',
      '/dashboard/kpis',
      answer(200, { ...kpis, draft: 1 }),
      /more than is declared.*draft/s,
    ],
    ['a member too few', 'GET', '/dashboard/kpis', answer(200, { ...kpis, cancelled: undefined }), /at cancelled/],
    [
      'one too many deep inside',
      'GET',
      LINES,
      answer(200, [line({ M: { ...cell, extra: 1 } })]),
      /more than is .*extra/s,
    ],
    ['an answer that nobody declared', 'POST', '/me', answer(200, {}), /no operation/],
    ['a body to HEAD', 'HEAD', '/dashboard/kpis', answer(200, kpis), /with a body/],
    ['a problem of another status', 'GET', '/me', problem(unknown, 403), /404/],
    ['a problem as plain JSON', 'GET', '/me', answer(404, unknown), /problem\+json/],
    ['a problem that tells too much', 'GET', '/me', problem({ ...unknown, stack: 'Error' }), /more than is .*stack/s],
    ['no problem document', 'GET', '/me', answer(500, { error: 'oops' }), /not what is declared/],
  ])('refuses %s', (_what, method, path, wrong, message) => {
    expect(() => expectConformity(method, path, wrong)).toThrow(message);
  });
});
