import { describe, expect, it } from '@jest/globals';
import { NO_DIFFERENCE } from '@po/testing/tolerances';
import { NEGOTIATED, NEGOTIATED_FIELDS, type PurchaseOrderUpserted, type Tolerances } from '@po/contracts';
import { newOrder, reconcile, snapshot } from '../fixtures/orders.js';
import { agreed, now, replied } from '../fixtures/submissions.js';
import { approveAutomatically } from './automatic-approval.js';
import type { Order } from './order.js';
import { isWithin, deviationOf } from './tolerances.js';
import { applyTransition } from './transitions.js';

const of = (lines: { qty: number; unitPrice: number }, more: Partial<PurchaseOrderUpserted> = {}) => {
  const [first, ...rest] = snapshot().lines;
  if (!first) throw new Error('the example has no lines');
  return newOrder({ lines: [{ ...first, ...lines }, ...rest], ...more });
};

/** The original amount of the order is 799.95 USD: 60 pieces at 12.50 and 5 at 9.99. */
const CASES: [title: string, order: Order, tolerances: Partial<Tolerances>, expected: boolean][] = [
  ['no difference', newOrder(), {}, true],
  ['a reply that equals the original', replied(newOrder(), { quantities: { S: 10 }, price: 12.5 }), {}, true],
  [
    'only a comment, container and tracking number',
    replied(newOrder(), {
      header: { vendor_reply_comment: 'late', container_number: 'C1', tracking_number: 'T1' },
    }),
    {},
    true,
  ],
  [
    'a quantity raised by the limit',
    replied(newOrder(), { quantities: { S: 11 } }),
    { maxQtyIncreasePercent: 10 },
    true,
  ],
  [
    'one quantity raised by more than the limit, among others within it',
    replied(newOrder(), { quantities: { S: 12, M: 21, L: 31 } }),
    { maxQtyIncreasePercent: 19.99 },
    false,
  ],
  [
    'a quantity lowered to 0 at a limit of 100 percent',
    replied(newOrder(), { quantities: { S: 0 } }),
    { maxQtyDecreasePercent: 100 },
    true,
  ],
  [
    'a quantity lowered to 0 at a limit below 100 percent',
    replied(newOrder(), { quantities: { S: 0 } }),
    { maxQtyDecreasePercent: 99.99 },
    false,
  ],
  [
    'a quantity lowered by a third at a limit of 33.33 percent',
    replied(newOrder(), { quantities: { L: 20 } }),
    { maxQtyDecreasePercent: 33.33 },
    false,
  ],
  [
    'a quantity lowered by a third at a limit of 33.34 percent',
    replied(newOrder(), { quantities: { L: 20 } }),
    { maxQtyDecreasePercent: 33.34 },
    true,
  ],
  [
    'a quantity for a line ordered at 0, at any limit',
    replied(of({ qty: 0, unitPrice: 12.5 }), { quantities: { S: 1 } }),
    { maxQtyIncreasePercent: 9_999.99 },
    false,
  ],
  [
    'a quantity of 0 for a line ordered at 0',
    replied(of({ qty: 0, unitPrice: 12.5 }), { quantities: { S: 0 } }),
    {},
    true,
  ],
  ['a price raised by the limit', replied(newOrder(), { price: 12.75 }), { maxPriceIncreasePercent: 2 }, true],
  [
    'a price raised by the limit and a ten-thousandth',
    replied(newOrder(), { price: 12.7501 }),
    { maxPriceIncreasePercent: 2 },
    false,
  ],
  ['a price lowered by the limit', replied(newOrder(), { price: 12.25 }), { maxPriceDecreasePercent: 2 }, true],
  [
    'a lower price if only higher ones are allowed',
    replied(newOrder(), { price: 12.25 }),
    { maxPriceIncreasePercent: 99 },
    false,
  ],
  ['an amount at its limit', newOrder(), { maxAmount: [{ currency: 'USD', amount: 799.95 }] }, true],
  ['an amount a cent above its limit', newOrder(), { maxAmount: [{ currency: 'USD', amount: 799.94 }] }, false],
  ['a currency that is not listed', newOrder(), { maxAmount: [{ currency: 'EUR', amount: 1e12 }] }, false],
  [
    'an amount near the precision of doubles, at its limit',
    of({ qty: 9_999_999, unitPrice: 999_999.99 }, { currency: 'IDR' }),
    { maxAmount: [{ currency: 'IDR', amount: 9_999_998_900_674.96 }] },
    true,
  ],
  [
    'an amount near the precision of doubles, a cent above its limit',
    of({ qty: 9_999_999, unitPrice: 999_999.99 }, { currency: 'IDR' }),
    { maxAmount: [{ currency: 'IDR', amount: 9_999_998_900_674.95 }] },
    false,
  ],
  ['a change by the source since the agreement', changedBySource(agreed({})), {}, true],
  ['a change by the source in production', { ...newOrder(), hasSourceConflict: true }, { maxDaysLater: 9_999 }, false],
];

describe('a submission', () => {
  const cases = CASES.map(([title, ...rest]) => [title, rest[2] ? 'within' : 'not within', ...rest] as const);
  it.each(cases)('with %s is %s the policy', (_title, _outcome, order, tolerances, expected) => {
    expect(isWithin(deviationOf(order), { ...NO_DIFFERENCE, ...tolerances })).toBe(expected);
  });

  it.each(NEGOTIATED_FIELDS)('with another %s is not approved without a tolerance for it', (field) => {
    const { type, request } = NEGOTIATED[field];
    const order = replied(newOrder(), { header: { [request]: type === 'date' ? '2026-12-31' : 'another' } });
    expect(isWithin(deviationOf(order), NO_DIFFERENCE)).toBe(false);
  });

  it('is approved by a policy unless it is disabled', () => {
    const order = { ...newOrder(), statusId: 200 as const };
    const deviation = deviationOf(order);
    const context = { role: 'VENDOR' as const, commentRequired: new Set(['APPROVE']), staleness: null, now };
    const policy = { vendorCode: null, version: 3, policy: NO_DIFFERENCE };
    const disabled = { ...policy, policy: { ...NO_DIFFERENCE, enabled: false } };
    expect(approveAutomatically(order, deviation, disabled, context)).toBeNull();
    expect(approveAutomatically(order, deviation, policy, context)).toMatchObject({
      after: { statusId: 300, agreedAt: '2026-11-21T08:00:00.001Z' },
      entry: { action: 'APPROVE', comment: 'Approval policy default, version 3' },
    });
  });

  it('stores the differences for policies, which no other action does', () => {
    const { order, deviation } = applyTransition(newOrder(), { action: 'SUBMIT', toStatusId: 200, now });
    expect(deviation).toEqual(deviationOf(newOrder()));
    for (const action of ['APPROVE', 'REJECT', 'RECALL', 'CANCEL'] as const) {
      expect(applyTransition(order, { action, toStatusId: 300, now }).deviation).toBeUndefined();
    }
  });
});

function changedBySource(order: Order): Order {
  const lines = snapshot().lines.map((line) => (line.size === 'S' ? { ...line, qty: 500 } : line));
  const outcome = reconcile(order, snapshot({ sourceRevision: 2, lines }));
  if (outcome.kind !== 'changed') throw new Error(`a change by the source is ${outcome.kind}`);
  return outcome.order;
}
