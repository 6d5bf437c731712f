import { type ReminderRule, STATUS, type StatusId } from '@po/contracts';
import type { Side } from '../side.js';

/** The fixed part of a rule; the days are configurable. */
export interface RuleTerms {
  /** Statuses in which the rule applies. */
  statuses: readonly StatusId[];
  sides: readonly Side[];
  /** Base of the first step. When it changes, the rule restarts. */
  from: 'status' | 'xfDate';
  days: 'working' | 'calendar';
  /** 1: the first step is after the base; -1: before it. */
  direction: 1 | -1;
  byDefault: string;
}

/** Days to the first step, days between steps, and the number of steps. */
export interface Repetition {
  first: number;
  interval: number;
  count: number;
}

const { NEW, IN_REVISION, PENDING_APPROVAL, CONFIRMED, IN_PRODUCTION, SHIPPED } = STATUS;

/** The reminder rules. A status has at most one rule besides EX_FACTORY_OVERDUE. */
export const RULES: Record<ReminderRule, RuleTerms> = {
  REPLY_DUE: {
    statuses: [NEW, IN_REVISION],
    sides: ['vendor'],
    from: 'status',
    days: 'working',
    direction: 1,
    byDefault: '3/2/3',
  },
  APPROVAL_DUE: {
    statuses: [PENDING_APPROVAL],
    sides: ['internal'],
    from: 'status',
    days: 'working',
    direction: 1,
    byDefault: '2/2/3',
  },
  EX_FACTORY_SOON: {
    statuses: [CONFIRMED, IN_PRODUCTION],
    sides: ['vendor'],
    from: 'xfDate',
    days: 'calendar',
    direction: -1,
    byDefault: '7/1/1',
  },
  EX_FACTORY_OVERDUE: {
    statuses: [NEW, IN_REVISION, PENDING_APPROVAL, CONFIRMED, IN_PRODUCTION],
    sides: ['vendor', 'internal'],
    from: 'xfDate',
    days: 'calendar',
    direction: 1,
    byDefault: '1/7/4',
  },
  DELIVERY_DUE: {
    statuses: [SHIPPED],
    sides: ['internal'],
    from: 'status',
    days: 'calendar',
    direction: 1,
    byDefault: '30/14/2',
  },
};

/** Whether a rule reminds users of a side. */
export const addresses = (rule: ReminderRule, side: Side): boolean => RULES[rule].sides.includes(side);

const OFF = 'off';
const MAX_DAYS = 365;
const MAX_STEPS = 20;
const PATTERN = /^(\d{1,3})\/(\d{1,3})\/(\d{1,2})$/;

/** Parses `off` (null) or `first/interval/count`. Throws an Error that says what is allowed. */
export function parseRepetition(rule: ReminderRule, text: string): Repetition | null {
  if (text.trim().toLowerCase() === OFF) return null;
  const [, first = NaN, interval = NaN, count = NaN] = (PATTERN.exec(text.trim()) ?? []).map(Number);
  const maxCount = rule === 'EX_FACTORY_SOON' ? 1 : MAX_STEPS;
  const allowed = first <= MAX_DAYS && interval >= 1 && interval <= MAX_DAYS && count >= 1 && count <= maxCount;
  if (allowed) return { first, interval, count };
  throw new Error(
    `must be off or first/interval/count, such as ${RULES[rule].byDefault}: first from 0 to ${MAX_DAYS} days, ` +
      `interval from 1 to ${MAX_DAYS} days, count ${maxCount === 1 ? '1, because it comes once for each date' : `from 1 to ${maxCount}`}`,
  );
}
