import { type NextDue, REMINDER_RULES, type ReminderRule, type StatusId } from '@po/contracts';
import type { BusinessCalendar } from './business-calendar.js';
import { type Repetition, type Side, addresses, RULES } from './reminder-rules.js';
import { type ReminderStep, stepsOf } from './reminder-steps.js';

/** How far an order is with one rule. */
export interface ReminderClock {
  /** When the rule began to apply. */
  since: Date;
  /** Steps that were due until then, of a created one all of its day, are created or left out; null where there was none yet. */
  doneUntil: Date | null;
  /** Of the rule's first step, and of the first one that is neither created nor left out; null where there is none. */
  firstDueAt: Date | null;
  nextDueAt: Date | null;
}

export type DueTimes = Pick<ReminderClock, 'firstDueAt' | 'nextDueAt'>;

/** What the reminders of an order depend on. */
export interface ReminderFacts {
  statusId: StatusId;
  xfDate: string;
}

/** The reminders of an order, and what they were worked out for: these facts, and settings of this generation. */
export interface OrderReminders extends ReminderFacts {
  generation: number;
  /** Of the one rule that its status has beside EX_FACTORY_OVERDUE. */
  waiting: ReminderClock | null;
  overdue: ReminderClock | null;
  /** When they last moved without a new version of the order. */
  movedAt: Date | null;
}

/** The settings of reminders. A class, so that it can be injected. */
export class ReminderPolicy {
  /** Of the settings, in the database; 0 is older than any. */
  generation = 0;

  constructor(
    readonly calendar: BusinessCalendar,
    /** Null for a rule that is off. */
    readonly repetitions: Record<ReminderRule, Repetition | null>,
    /** The same for the same settings alone. */
    readonly fingerprint: string,
  ) {}
}

const CLOCKS = ['waiting', 'overdue'] as const;
type ClockName = (typeof CLOCKS)[number];

const RULES_OF: Record<ClockName, readonly ReminderRule[]> = {
  waiting: REMINDER_RULES.filter((rule) => rule !== 'EX_FACTORY_OVERDUE'),
  overdue: ['EX_FACTORY_OVERDUE'],
};

/** The rule of a clock in a status, or null. */
const ruleOf = (clock: ClockName, statusId: StatusId): ReminderRule | null =>
  RULES_OF[clock].find((rule) => RULES[rule].statuses.includes(statusId)) ?? null;

/** The reminders of a new order. */
export function beginReminders(facts: ReminderFacts, now: Date, policy: ReminderPolicy): OrderReminders {
  return clocksOf(facts, policy, null, () => ({ since: now, doneUntil: null }));
}

/** The reminders after a change of the order. */
export function followReminders(
  stored: OrderReminders,
  facts: ReminderFacts,
  now: Date,
  policy: ReminderPolicy,
): OrderReminders {
  const before = stored.generation === policy.generation ? stored : replanReminders(stored, now, policy);
  return clocksOf(facts, policy, before.movedAt, (name) => {
    const clock = before[name];
    if (clock && !beginsAnew(name, before, facts)) return clock;
    return { since: afterAll(now, clock), doneUntil: null };
  });
}

/**
 * The reminders under other settings: a step that only these have in the past is left out, but not that of a day which was still to come
 * and whose reminding time is past now.
 */
export function replanReminders(before: OrderReminders, now: Date, policy: ReminderPolicy): OrderReminders {
  return clocksOf(before, policy, before.movedAt, (name) => {
    const { since, doneUntil, nextDueAt } = before[name] ?? { since: now, doneUntil: null, nextDueAt: null };
    if (nextDueAt === null) return { since, doneUntil: latest(now, doneUntil) };
    if (nextDueAt <= now) return { since, doneUntil };
    const { calendar } = policy;
    const sameDay = calendar.remindingOn(calendar.dateOf(nextDueAt)).getTime();
    return { since, doneUntil: latest(new Date(Math.min(now.getTime(), sameDay - 1)), doneUntil) };
  });
}

const latest = (time: Date, other: Date | null): Date => (other !== null && other > time ? other : time);

/** A step that is to be created, with the date of the first of its rule. */
export interface DueStep extends ReminderStep {
  firstOn: string;
}

/** What is due by now, the latest step of each rule, and the reminders once that is created. */
export function takeDue(
  reminders: OrderReminders,
  now: Date,
  policy: ReminderPolicy,
): { due: DueStep[]; after: OrderReminders } {
  const due = CLOCKS.flatMap((name) => dueStepOf(name, reminders, now, policy) ?? []);
  const after = clocksOf(reminders, policy, reminders.movedAt, (name) => {
    const [clock, created] = [reminders[name], due.find(({ rule }) => RULES_OF[name].includes(rule))];
    // Its day is over with it, also when the reminding time moves.
    return clock && created ? { ...clock, doneUntil: latest(now, policy.calendar.endOf(created.dueOn)) } : clock;
  });
  return { due, after };
}

/** The next step for a side of what its order's row has of both clocks. */
export function nextDueFor(
  side: Side,
  { statusId, ...clocks }: { statusId: StatusId } & Record<ClockName, DueTimes>,
  calendar: BusinessCalendar,
): NextDue | null {
  const [next] = CLOCKS.flatMap((name) => {
    const [rule, { nextDueAt: at, firstDueAt }] = [ruleOf(name, statusId), clocks[name]];
    return rule && at && addresses(rule, side) ? [{ rule, at, firstAt: firstDueAt ?? at }] : [];
  }).toSorted((a, b) => a.at.getTime() - b.at.getTime());
  return next ? { rule: next.rule, on: calendar.dateOf(next.at), firstOn: calendar.dateOf(next.firstAt) } : null;
}

function beginsAnew(name: ClockName, before: ReminderFacts, after: ReminderFacts): boolean {
  const rule = ruleOf(name, after.statusId);
  if (rule === null || rule !== ruleOf(name, before.statusId)) return true;
  return RULES[rule].from === 'xfDate' ? before.xfDate !== after.xfDate : before.statusId !== after.statusId;
}

/** Clocks of replicas differ: what begins anew begins after all that was before, so that no rule and day come twice. */
function afterAll(now: Date, clock: ReminderClock | null): Date {
  const times = [now, ...(clock ? [clock.since, ...(clock.doneUntil ? [clock.doneUntil] : [])] : [])];
  const latest = Math.max(...times.map(Number));
  return latest === clock?.doneUntil?.getTime() ? new Date(latest + 1) : new Date(latest);
}

function clocksOf(
  { statusId, xfDate }: ReminderFacts,
  policy: ReminderPolicy,
  movedAt: Date | null,
  stateOf: (name: ClockName) => Pick<ReminderClock, 'since' | 'doneUntil'> | null,
): OrderReminders {
  const clockOf = (name: ClockName): ReminderClock | null => {
    const rule = ruleOf(name, statusId);
    const state = rule && stateOf(name);
    if (!rule || !state) return null;
    const { since, doneUntil } = state;
    const steps = stepsUnder(policy, rule, { since, xfDate });
    const next = steps.find(({ dueAt }) => doneUntil === null || dueAt > doneUntil);
    return { since, doneUntil, firstDueAt: steps[0]?.dueAt ?? null, nextDueAt: next?.dueAt ?? null };
  };
  const { generation } = policy;
  return { generation, statusId, xfDate, waiting: clockOf('waiting'), overdue: clockOf('overdue'), movedAt };
}

function dueStepOf(
  name: ClockName,
  { statusId, xfDate, ...clocks }: OrderReminders,
  now: Date,
  policy: ReminderPolicy,
): DueStep | null {
  const [rule, clock] = [ruleOf(name, statusId), clocks[name]];
  if (!rule || !clock) return null;
  const { since, doneUntil } = clock;
  const steps = stepsUnder(policy, rule, { since, xfDate });
  const last = steps.findLast(({ dueAt }) => dueAt <= now && (doneUntil === null || dueAt > doneUntil));
  return last ? { ...last, firstOn: steps[0]?.dueOn ?? last.dueOn } : null;
}

function stepsUnder(
  { repetitions, calendar }: ReminderPolicy,
  rule: ReminderRule,
  basis: { since: Date; xfDate: string },
): ReminderStep[] {
  const repetition = repetitions[rule];
  return repetition ? stepsOf(rule, repetition, basis, calendar) : [];
}
