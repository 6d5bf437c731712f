import { describe, expect, it } from '@jest/globals';
import { ProblemError, ROLES } from '@po/contracts';
import {
  CANCELLED,
  CONFIRMED,
  IN_PRODUCTION,
  NOW,
  SHIPPED,
  SUBMITTED,
  acts,
  given,
  proposes,
  repliesQuantities,
  sourceCancels,
  sourceSends,
} from '../fixtures/given.js';
import { decide } from './commands.js';
import { agreementOf, hasPendingChanges } from './values.js';

const stale = { staleness: new ProblemError('VERSION_MISMATCH', { currentVersion: 7 }) };
const date = (vendor_reply_xfd: string) => ({ vendor_reply_xfd });

describe('a transition', () => {
  it('of a new order by its vendor moves it to Pending Approval and says what is proposed', () => {
    given(proposes('VENDOR', date('2026-04-01')), repliesQuantities({ M: 15 }))
      .when(acts('VENDOR', 'SUBMIT', 'fabric is late'))
      .then({
        order: { statusId: 200 },
        action: 'SUBMIT',
        changes: {
          header: [{ field: 'xfDate', from: '2026-03-01', to: '2026-04-01' }],
          lines: [{ size: 'M', field: 'qty', from: 20, to: 15 }],
        },
      });
  });

  it('to Confirmed freezes the current values as agreed, and nothing is pending any more', () => {
    const order = given(proposes('VENDOR', date('2026-04-01')), repliesQuantities({ M: 15 }), ...SUBMITTED)
      .when(acts('BUYER', 'APPROVE'))
      .then({ order: { statusId: 300, agreedAt: NOW.toISOString() }, action: 'APPROVE' });
    const agreed = agreementOf(order);
    expect([agreed?.xfd, agreed?.factory]).toEqual(['2026-04-01', 'F1']);
    expect(agreed?.lines.map(({ size, qty }) => `${size} ${qty}`)).toEqual(['S 10', 'M 15', 'L 30', 'M 5']);
    expect(hasPendingChanges(order)).toBe(false);
  });

  it('back to In Revision leaves replies and agreement as they are', () => {
    const recalled = given(repliesQuantities({ M: 15 }), ...CONFIRMED)
      .when(acts('BUYER', 'RECALL', 'wrong colour'))
      .then({ order: { statusId: 150 }, action: 'RECALL', changes: null });
    expect(agreementOf(recalled)?.lines[1]).toMatchObject({ size: 'M', qty: 15 });
  });

  it('says which container and tracking numbers were set since the last entry, once', () => {
    const numbers = { container_number: 'MSKU1234567', tracking_number: null };
    given(...IN_PRODUCTION, proposes('VENDOR', numbers))
      .when(acts('VENDOR', 'MARK_SHIPPED'))
      .then({ changes: { header: [{ field: 'containerNumber', from: null, to: 'MSKU1234567' }], lines: [] } });
    given(...IN_PRODUCTION, proposes('VENDOR', numbers), acts('VENDOR', 'MARK_SHIPPED'))
      .when(acts('BUYER', 'CONFIRM_DELIVERY'))
      .then({ order: { statusId: 600 }, changes: null });
  });

  it('without the comment that it needs is refused', () => {
    const commentRequired = new Set(['REJECT']);
    given(...SUBMITTED)
      .when(acts('BUYER', 'REJECT', null, { commentRequired }))
      .thenRefused('COMMENT_REQUIRED');
    given(...SUBMITTED)
      .when(acts('BUYER', 'REJECT', 'too late', { commentRequired }))
      .then({ order: { statusId: 150 } });
  });
});

describe('a reply', () => {
  it('that says what is there already changes nothing', () => {
    given(proposes('VENDOR', date('2026-04-01')))
      .when(proposes('VENDOR', date('2026-04-01')))
      .thenNothingChanged();
    given(repliesQuantities({ M: 15 }))
      .when(repliesQuantities({ M: 15 }))
      .thenNothingChanged();
  });

  it('makes no entry in the history before it is submitted', () => {
    given()
      .when(repliesQuantities({ M: 15 }))
      .then({ order: { statusId: 100 }, action: null, changes: null });
  });

  it('before the date of the order is refused', () => {
    given()
      .when(proposes('VENDOR', date('2026-01-04')))
      .thenRefused('VALUE_OUT_OF_RANGE');
    given()
      .when(proposes('VENDOR', date('2026-01-05')))
      .then({ order: { xfd: { reply: '2026-01-05' } } });
  });

  it('is refused while a buyer decides, with the fields and what may be done instead', () => {
    given(...SUBMITTED)
      .when(proposes('VENDOR', date('2026-04-01')))
      .thenRefused('PO_NOT_EDITABLE', { fields: ['vendor_reply_xfd'], allowedActions: ['RECALL'] });
  });
});

describe('the order of the checks', () => {
  it('begins with what the caller may see', () => {
    const outcome = decide(
      null,
      { type: 'transition', action: 'APPROVE', comment: null },
      { role: 'VENDOR', commentRequired: new Set(), now: NOW, ...stale },
    );
    expect(outcome).toMatchObject({ refused: { code: 'PO_NOT_FOUND' } });
  });

  it('goes on with the role, before the version', () => {
    given(...SUBMITTED)
      .when(acts('VENDOR', 'APPROVE', null, stale))
      .thenRefused('ROLE_NOT_ALLOWED');
    for (const role of ROLES.filter((other) => other !== 'VENDOR')) {
      given()
        .when(proposes(role, date('2026-04-01'), stale))
        .thenRefused('ROLE_NOT_ALLOWED');
    }
  });

  it('then the version, before state and values', () => {
    given(...CONFIRMED)
      .when(acts('VENDOR', 'SUBMIT', null, stale))
      .thenRefused('VERSION_MISMATCH', { currentVersion: 7 });
    given()
      .when(proposes('VENDOR', date('2020-01-01'), stale))
      .thenRefused('VERSION_MISMATCH');
  });

  it('then the state, before values', () => {
    given(...CONFIRMED)
      .when(proposes('VENDOR', date('2020-01-01')))
      .thenRefused('PO_NOT_EDITABLE');
  });
});

describe('the inventory system', () => {
  it('takes an order that waits for approval back to In Revision when it changes a quantity, and drops that reply', () => {
    given(repliesQuantities({ M: 15, L: 7 }), ...SUBMITTED)
      .when(sourceSends({ M: 18 }))
      .then({
        order: { statusId: 150, cells: [{}, { qty: { original: 18, reply: null } }, { qty: { reply: 7 } }, {}] },
        action: 'SOURCE_UPDATE',
      });
  });

  it('marks a conflict in production, and leaves replies and status', () => {
    given(repliesQuantities({ M: 15 }), ...IN_PRODUCTION)
      .when(sourceSends({ M: 25 }))
      .then({
        order: {
          statusId: 400,
          hasSourceConflict: true,
          cells: [{}, { qty: { original: 25, reply: 15, agreed: 15 } }, {}, {}],
        },
        action: 'SOURCE_CONFLICT',
      });
  });

  it('that repeats what was agreed changes nothing that people see', () => {
    given(repliesQuantities({ M: 15 }), ...CONFIRMED)
      .when(sourceSends({ M: 15 }))
      .then({ order: { statusId: 300, cells: [{}, { qty: { original: 20, source: 15 } }, {}, {}] }, action: null });
  });

  it('cancels an order that has not left, and marks a conflict on one that has', () => {
    given(...IN_PRODUCTION)
      .when(sourceCancels())
      .then({ order: { statusId: 900 }, action: 'SOURCE_CANCEL' });
    given(...SHIPPED)
      .when(sourceCancels())
      .then({ order: { statusId: 500, hasSourceConflict: true }, action: 'SOURCE_CONFLICT' });
  });

  it('is ignored on a cancelled order, and where its revision is not newer', () => {
    given(...CANCELLED)
      .when(sourceCancels())
      .thenNothingChanged();
    given(...CANCELLED)
      .when(sourceSends({ M: 1 }))
      .thenNothingChanged();
    given()
      .when(sourceSends({ M: 1 }, { sourceRevision: 1 }))
      .thenNothingChanged();
  });
});
