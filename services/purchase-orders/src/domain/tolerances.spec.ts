import { describe, expect, it } from '@jest/globals';
import { NO_DIFFERENCE } from '@po/testing/tolerances';
import { NEGOTIATED, NEGOTIATED_FIELDS, type PurchaseOrderUpserted, type Tolerances } from '@po/contracts';
import { CONFIRMED, acts, given, sourceSends } from '../fixtures/given.js';
import { newOrder, snapshot } from '../fixtures/orders.js';
import { agreed, now, replied } from '../fixtures/submissions.js';
import { approveAutomatically } from './automatic-approval.js';
import type { Order } from './order.js';
import { isWithin, submissionOf } from './tolerances.js';
import { applyTransition } from './transitions.js';

const of = (lines: { qty: number; unitPrice: number }, more: Partial<PurchaseOrderUpserted> = {}) => {
  const [first, ...rest] = snapshot().lines;
  if (!first) throw new Error('the example has no lines');
  return newOrder({ lines: [{ ...first, ...lines }, ...rest], ...more });
};

/** The order's amount is 799.95 USD as it was ordered: 60 pieces at 12.50 and 5 at 9.99. */
const CASES: [title: string, order: Order, tolerances: Partial<Tolerances>, expected: boolean][] = [
  ['no difference, and no tolerance', newOrder(), {}, true],
  ['a reply that equals the original', replied(newOrder(), { quantities: { S: 10 }, price: 12.5 }), {}, true],
  [
    'comment, container and tracking',
    replied(newOrder(), {
      header: { vendor_reply_comment: 'late', container_number: 'C1', tracking_number: 'T1' },
    }),
    {},
    true,
  ],
  [
    'later by the limit',
    replied(newOrder(), { header: { vendor_reply_xfd: '2026-03-08' } }),
    { maxDaysLater: 7 },
    true,
  ],
  [
    'later by a day more',
    replied(newOrder(), { header: { vendor_reply_xfd: '2026-03-09' } }),
    { maxDaysLater: 7 },
    false,
  ],
  [
    'later across a change of clocks in half the world',
    replied(newOrder(), { header: { vendor_reply_xfd: '2026-03-31' } }),
    { maxDaysLater: 30 },
    true,
  ],
  [
    'earlier by the limit',
    replied(newOrder(), { header: { vendor_reply_xfd: '2026-02-27' } }),
    { maxDaysEarlier: 2 },
    true,
  ],
  [
    'earlier, where only later is allowed',
    replied(newOrder(), { header: { vendor_reply_xfd: '2026-02-27' } }),
    { maxDaysLater: 99 },
    false,
  ],
  ['another factory', replied(newOrder(), { header: { vendor_reply_factory: 'F2' } }), {}, false],
  [
    'another factory, allowed',
    replied(newOrder(), { header: { vendor_reply_factory: 'F2' } }),
    { allowFactoryChange: true },
    true,
  ],
  ['a quantity up by the limit', replied(newOrder(), { quantities: { S: 11 } }), { maxQtyIncreasePercent: 10 }, true],
  [
    'a quantity up by more, of one row among others within',
    replied(newOrder(), { quantities: { S: 12, M: 21, L: 31 } }),
    { maxQtyIncreasePercent: 19.99 },
    false,
  ],
  ['a quantity down to 0', replied(newOrder(), { quantities: { S: 0 } }), { maxQtyDecreasePercent: 100 }, true],
  [
    'a quantity down to 0, below',
    replied(newOrder(), { quantities: { S: 0 } }),
    { maxQtyDecreasePercent: 99.99 },
    false,
  ],
  [
    'a third down, where two decimals end below it',
    replied(newOrder(), { quantities: { L: 20 } }),
    { maxQtyDecreasePercent: 33.33 },
    false,
  ],
  [
    'a third down, where two decimals end above it',
    replied(newOrder(), { quantities: { L: 20 } }),
    { maxQtyDecreasePercent: 33.34 },
    true,
  ],
  [
    'a quantity where 0 was ordered, at any limit',
    replied(of({ qty: 0, unitPrice: 12.5 }), { quantities: { S: 1 } }),
    { maxQtyIncreasePercent: 9_999.99 },
    false,
  ],
  ['0 where 0 was ordered', replied(of({ qty: 0, unitPrice: 12.5 }), { quantities: { S: 0 } }), {}, true],
  ['a price up by the limit', replied(newOrder(), { price: 12.75 }), { maxPriceIncreasePercent: 2 }, true],
  [
    'a price up by a ten-thousandth more',
    replied(newOrder(), { price: 12.7501 }),
    { maxPriceIncreasePercent: 2 },
    false,
  ],
  ['a price down by the limit', replied(newOrder(), { price: 12.25 }), { maxPriceDecreasePercent: 2 }, true],
  [
    'a price down, where only up is allowed',
    replied(newOrder(), { price: 12.25 }),
    { maxPriceIncreasePercent: 99 },
    false,
  ],
  ['an amount at its limit', newOrder(), { maxAmount: [{ currency: 'USD', amount: 799.95 }] }, true],
  ['an amount a cent above', newOrder(), { maxAmount: [{ currency: 'USD', amount: 799.94 }] }, false],
  ['a currency that is not listed', newOrder(), { maxAmount: [{ currency: 'EUR', amount: 1e12 }] }, false],
  [
    'an amount that doubles hardly hold, at its limit',
    of({ qty: 9_999_999, unitPrice: 999_999.99 }, { currency: 'IDR' }),
    { maxAmount: [{ currency: 'IDR', amount: 9_999_998_900_674.96 }] },
    true,
  ],
  [
    'an amount that doubles hardly hold, a cent above',
    of({ qty: 9_999_999, unitPrice: 999_999.99 }, { currency: 'IDR' }),
    { maxAmount: [{ currency: 'IDR', amount: 9_999_998_900_674.95 }] },
    false,
  ],
  ['what was agreed, though it is not what was ordered', agreed({ quantities: { S: 99 }, price: 1 }), {}, true],
  [
    'back to what was ordered, off what was agreed',
    replied(agreed({ quantities: { S: 20 } }), { quantities: { S: null } }),
    { maxQtyDecreasePercent: 49.99 },
    false,
  ],
  [
    'within a share of what was agreed, above that of what was ordered',
    replied(agreed({ quantities: { S: 20 } }), { quantities: { S: 22 } }),
    { maxQtyIncreasePercent: 10 },
    true,
  ],
  [
    'a change by the source since the agreement',
    given(...CONFIRMED)
      .when(sourceSends({ S: 500 }))
      .then({}),
    {},
    true,
  ],
  [
    'an order that the source changed in production',
    { ...newOrder(), hasSourceConflict: true },
    { maxDaysLater: 9_999 },
    false,
  ],
];

describe('a submission', () => {
  it.each(CASES)('%s', (_title, order, tolerances, expected) => {
    expect(isWithin(submissionOf(order), { ...NO_DIFFERENCE, ...tolerances })).toBe(expected);
  });

  it.each(NEGOTIATED_FIELDS)('with another %s is not approved without a tolerance for it', (field) => {
    const { type, request } = NEGOTIATED[field];
    const order = replied(newOrder(), { header: { [request]: type === 'date' ? '2026-12-31' : 'another' } });
    expect(isWithin(submissionOf(order), NO_DIFFERENCE)).toBe(false);
  });

  it('is not approved by a disabled policy, nor without one', () => {
    const order = { ...newOrder(), statusId: 200 as const };
    const submission = submissionOf(order);
    const context = { role: 'VENDOR' as const, commentRequired: new Set(['APPROVE']), staleness: null, now };
    const policy = { vendorCode: null, version: 3, policy: NO_DIFFERENCE };
    const disabled = { ...policy, policy: { ...NO_DIFFERENCE, enabled: false } };
    expect(approveAutomatically(order, submission, disabled, context)).toBeNull();
    expect(approveAutomatically(order, submission, null, context)).toBeNull();
    expect(approveAutomatically(order, undefined, policy, context)).toBeNull();
    expect(approveAutomatically(order, submission, policy, context)).toMatchObject({
      after: { statusId: 300, agreedAt: '2026-11-21T08:00:00.001Z' },
      entry: { action: 'APPROVE', comment: 'Approval policy default, version 3' },
    });
  });

  it('is stored with what a policy is asked for, and of every other act nothing is', () => {
    const { order, submission } = applyTransition(newOrder(), { action: 'SUBMIT', toStatusId: 200, now });
    expect(submission).toEqual(submissionOf(newOrder()));
    for (const action of ['APPROVE', 'REJECT', 'RECALL', 'CANCEL'] as const) {
      expect(applyTransition(order, { action, toStatusId: 300, now }).submission).toBeUndefined();
    }
    expect(given().when(acts('VENDOR', 'SUBMIT')).then({}).statusId).toBe(200);
  });
});
