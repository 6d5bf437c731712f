import { describe, expect, it } from '@jest/globals';
import { type Action, ProblemError, ROLES, type Role, type StatusId } from '@po/contracts';
import { newOrder, outcomeOf } from '../fixtures/orders.js';
import { type OrderCommand, decide } from './commands.js';
import type { Order } from './order.js';

const STALE = new ProblemError('VERSION_MISMATCH');
const acts = (action: Action): OrderCommand => ({ type: 'transition', action, comment: null });
const repliesDate = (vendor_reply_xfd: string): OrderCommand => ({ type: 'updateHeader', patch: { vendor_reply_xfd } });
const BEFORE_ORDER_DATE = repliesDate('2020-01-01');

function refusal(order: Order | null, role: Role, command: OrderCommand, staleness: ProblemError | null = STALE) {
  const now = new Date('2026-11-21T08:00:00.000Z');
  const outcome = outcomeOf(() => decide(order, command, { role, commentRequired: new Set(), staleness, now }));
  return outcome instanceof ProblemError ? outcome : null;
}
const codeOf = (...command: Parameters<typeof refusal>) => refusal(...command)?.code ?? null;
const orderIn = (statusId: StatusId): Order => ({ ...newOrder(), statusId });

describe('the sequence of checks', () => {
  it('starts with whether the caller may see the order', () => {
    expect(codeOf(null, 'VENDOR', acts('APPROVE'))).toBe('PO_NOT_FOUND');
  });

  it('has the role before the version', () => {
    expect(codeOf(orderIn(200), 'VENDOR', acts('APPROVE'))).toBe('ROLE_NOT_ALLOWED');
    for (const role of ROLES.filter((other) => other !== 'VENDOR')) {
      expect(codeOf(orderIn(100), role, repliesDate('2026-04-01'))).toBe('ROLE_NOT_ALLOWED');
    }
  });

  it('says which roles may do what this role never may', () => {
    const refused = refusal(orderIn(200), 'VENDOR', acts('APPROVE'));
    expect(refused?.options.hidden).toEqual({ roles: ['BUYER', 'ADMIN'] });
  });

  it('has the version before status and values', () => {
    expect(codeOf(orderIn(300), 'VENDOR', acts('SUBMIT'))).toBe('VERSION_MISMATCH');
    expect(codeOf(orderIn(100), 'VENDOR', BEFORE_ORDER_DATE)).toBe('VERSION_MISMATCH');
  });

  it('has the status before values', () => {
    expect(codeOf(orderIn(300), 'VENDOR', BEFORE_ORDER_DATE, null)).toBe('PO_NOT_EDITABLE');
    expect(codeOf(orderIn(100), 'VENDOR', BEFORE_ORDER_DATE, null)).toBe('VALUE_OUT_OF_RANGE');
  });
});
