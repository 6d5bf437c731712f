import { type ReminderRule, addDays } from '@po/contracts';
import type { BusinessCalendar } from './business-calendar.js';
import { RULES, type Repetition } from './reminder-rules.js';

/** One reminder of a rule. */
export interface ReminderStep {
  rule: ReminderRule;
  /** 1, 2, 3 … */
  step: number;
  /** The business date of `dueAt`. */
  dueOn: string;
  dueAt: Date;
}

/** Values that the steps of a rule depend on, besides its setting. */
export interface StepBasis {
  /** Start of the rule: the order entered the status or the rule's statuses, or its ex-factory date changed. */
  since: Date;
  xfDate: string;
}

/** The steps of a rule, in order. */
export function stepsOf(
  rule: ReminderRule,
  { first, interval, count }: Repetition,
  basis: StepBasis,
  calendar: BusinessCalendar,
): ReminderStep[] {
  const days = { working: (date: string, n: number) => calendar.addWorkingDays(date, n), calendar: addDays };
  const add = days[RULES[rule].days];
  let dueOn = firstDate(rule, first, basis, calendar);
  return Array.from({ length: count }, (_, index) => {
    if (index > 0) dueOn = add(dueOn, interval);
    return { rule, step: index + 1, dueOn, dueAt: calendar.remindingOn(dueOn) };
  });
}

function firstDate(
  rule: ReminderRule,
  first: number,
  { since, xfDate }: StepBasis,
  calendar: BusinessCalendar,
): string {
  const { from, days, direction } = RULES[rule];
  const base = from === 'xfDate' ? xfDate : calendar.dateOf(since);
  // A date before the start of the rule is replaced by the next reminder time.
  const earliest = calendar.nextRemindingDate(since);
  if (days === 'calendar') return later(addDays(base, direction * first), earliest);
  const date = later(calendar.addWorkingDays(base, first), earliest);
  return calendar.isWorkingDay(date) ? date : calendar.addWorkingDays(date, 1);
}

const later = (a: string, b: string): string => (a > b ? a : b);
