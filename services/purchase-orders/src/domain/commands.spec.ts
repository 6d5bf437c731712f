import { describe, expect, it } from '@jest/globals';
import { ProblemError, ROLES } from '@po/contracts';
import { CONFIRMED, NOW, SUBMITTED, acts, given, proposes, repliesQuantities } from '../fixtures/given.js';
import { decide } from './commands.js';
import { agreementOf } from './values.js';

const stale = { staleness: new ProblemError('VERSION_MISMATCH', { currentVersion: 7 }) };
const date = (vendor_reply_xfd: string) => ({ vendor_reply_xfd });

describe('a transition', () => {
  it('moves a new order to Pending Approval on SUBMIT and lists the proposed changes', () => {
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

  it('back to In Revision keeps replies and agreement', () => {
    const recalled = given(repliesQuantities({ M: 15 }), ...CONFIRMED)
      .when(acts('BUYER', 'RECALL', 'wrong colour'))
      .then({ order: { statusId: 150 }, action: 'RECALL', changes: null });
    expect(agreementOf(recalled)?.lines[1]).toMatchObject({ size: 'M', qty: 15 });
  });
});

describe('a reply', () => {
  it('that equals the stored one changes nothing', () => {
    given(proposes('VENDOR', date('2026-04-01')))
      .when(proposes('VENDOR', date('2026-04-01')))
      .thenNothingChanged();
    given(repliesQuantities({ M: 15 }))
      .when(repliesQuantities({ M: 15 }))
      .thenNothingChanged();
  });

  it('creates no history entry before it is submitted', () => {
    given()
      .when(repliesQuantities({ M: 15 }))
      .then({ order: { statusId: 100 }, action: null, changes: null });
  });

  it('with a date before the order date is refused', () => {
    given()
      .when(proposes('VENDOR', date('2026-01-04')))
      .thenRefused('VALUE_OUT_OF_RANGE');
    given()
      .when(proposes('VENDOR', date('2026-01-05')))
      .then({ order: { xfd: { reply: '2026-01-05' } } });
  });

  it('is refused while a buyer decides, with the fields and the allowed actions', () => {
    given(...SUBMITTED)
      .when(proposes('VENDOR', date('2026-04-01')))
      .thenRefused('PO_NOT_EDITABLE', { fields: ['vendor_reply_xfd'], allowedActions: ['RECALL'] });
  });
});

describe('the sequence of checks', () => {
  it('starts with whether the caller may see the order', () => {
    const outcome = decide(
      null,
      { type: 'transition', action: 'APPROVE', comment: null },
      { role: 'VENDOR', commentRequired: new Set(), now: NOW, ...stale },
    );
    expect(outcome).toMatchObject({ refused: { code: 'PO_NOT_FOUND' } });
  });

  it('has the role before the version', () => {
    given(...SUBMITTED)
      .when(acts('VENDOR', 'APPROVE', null, stale))
      .thenRefused('ROLE_NOT_ALLOWED');
    for (const role of ROLES.filter((other) => other !== 'VENDOR')) {
      given()
        .when(proposes(role, date('2026-04-01'), stale))
        .thenRefused('ROLE_NOT_ALLOWED');
    }
  });

  it('has the version before status and values', () => {
    given(...CONFIRMED)
      .when(acts('VENDOR', 'SUBMIT', null, stale))
      .thenRefused('VERSION_MISMATCH', { currentVersion: 7 });
    given()
      .when(proposes('VENDOR', date('2020-01-01'), stale))
      .thenRefused('VERSION_MISMATCH');
  });

  it('has the status before values', () => {
    given(...CONFIRMED)
      .when(proposes('VENDOR', date('2020-01-01')))
      .thenRefused('PO_NOT_EDITABLE');
  });
});
