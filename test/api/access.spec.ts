import { describe, expect, it } from '@jest/globals';
import { DOCUMENT, PUBLISHED, isPathOf } from './document.js';
import { RULES } from '../../deploy/documents/access-rules/all.js';
import { REJECTED_CALLERS, type Subject } from '../../deploy/documents/access-rules/rule.js';

const SUBJECT: Subject = {
  poRef: 'PO-1',
  vendorCode: 'OWN',
  buyerEmail: 'dana@example.com',
  rowHash: 'hash',
  notificationId: 'id',
  userId: 'u-1',
  suppressed: 'li@example.com',
  views: { private: 'v-1', shared: 'v-2', internal: 'v-3' },
  policy: 'OWN',
  messages: { poRef: 'PO-1', shown: '01981d2a-6f3e-7c41-9b58-2f6a0c7de914', internal: 'id' },
};

describe('the access rules', () => {
  it('cover exactly the operations of the published document', () => {
    expect(PUBLISHED.length).toBeGreaterThan(15);
    expect(Object.keys(RULES).toSorted()).toEqual(PUBLISHED.map(({ id }) => id).toSorted());
    expect(Object.entries(RULES).filter(([, rules]) => rules.length === 0)).toEqual([]);
  });

  it.each(PUBLISHED)(
    'request $method $path with its path, and with a body only if the operation has one',
    ({ id, path, method, body }) => {
      for (const { request } of RULES[id] ?? []) {
        const spec = request(SUBJECT);
        expect([spec.path, isPathOf(path, spec.path)]).toEqual([spec.path, true]);
        expect([method, spec.body !== undefined]).toEqual([method, body !== undefined]);
      }
    },
  );

  it('let no other vendor see or change anything, no internal user reply and no viewer write', () => {
    const all = PUBLISHED.flatMap(({ id, method }) =>
      (RULES[id] ?? []).map(({ verdicts }) => ({ id, method, verdicts })),
    );
    const others = new Set(all.map(({ verdicts }) => verdicts['other vendor']));
    expect([...others].toSorted()).toEqual(['hidden', 'refused', 'same', 'unknown']);
    expect(all.filter(({ verdicts }) => verdicts.VIEWER === 'done')).toEqual([]);
    const replies = all.filter(({ id }) => ['updatePurchaseOrder', 'updateLineItems', 'importLineItems'].includes(id));
    expect(new Set(replies.flatMap(({ verdicts: { BUYER, ADMIN, VIEWER } }) => [BUYER, ADMIN, VIEWER]))).toEqual(
      new Set(['refused']),
    );
  });

  it('match a document whose operations all require a token and declare 401 and 403', () => {
    expect(DOCUMENT.security).toEqual([expect.objectContaining({})]);
    const statuses = new Set(Object.values(REJECTED_CALLERS).map(({ status }) => String(status)));
    const without = PUBLISHED.filter(({ responses }) => [...statuses].some((status) => !responses[status]));
    expect([...statuses, without.map(({ id }) => id)]).toEqual(['401', '403', []]);
  });
});
