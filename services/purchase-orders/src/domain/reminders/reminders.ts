import { type NextDue, REMINDER_RULES, type ReminderRule, type StatusId } from '@po/contracts';
import type { BusinessCalendar } from './business-calendar.js';
import type { Side } from '../side.js';
import { type Repetition, addresses, RULES } from './reminder-rules.js';
import { type ReminderStep, stepsOf } from './reminder-steps.js';

/** Progress of an order in one rule. */
export interface RuleProgress {
  /** Start of the rule. */
  since: Date;
  /** Steps due up to this time are created, skipped or before the rule's start. After a creation, at least the end of its day. */
  doneUntil: Date | null;
  /** Due times of the rule's first step, and of the first step that was neither created nor skipped; null if there is none. */
  firstDueAt: Date | null;
  nextDueAt: Date | null;
}

export type DueTimes = Pick<RuleProgress, 'firstDueAt' | 'nextDueAt'>;

/** Fields of an order that its reminders depend on. */
export interface ReminderFacts {
  statusId: StatusId;
  xfDate: string;
}

/** The reminders of an order, with the facts and the generation of settings that they were computed from. */
export interface OrderReminders extends ReminderFacts {
  generation: number;
  /** Of the one rule that the status has besides EX_FACTORY_OVERDUE. */
  waiting: RuleProgress | null;
  overdue: RuleProgress | null;
}

/** The reminder settings of an installation. */
export interface ReminderSettings {
  readonly calendar: BusinessCalendar;
  /** Null for a rule that is off. */
  readonly repetitions: Readonly<Record<ReminderRule, Repetition | null>>;
  /** Equal only for equal settings. */
  readonly fingerprint: string;
}

/** Settings that reminders follow, with their generation in the database. */
export interface AdoptedSettings extends ReminderSettings {
  readonly generation: number;
}

const PROGRESS_NAMES = ['waiting', 'overdue'] as const;
type ProgressName = (typeof PROGRESS_NAMES)[number];

const RULES_OF: Record<ProgressName, readonly ReminderRule[]> = {
  waiting: REMINDER_RULES.filter((rule) => rule !== 'EX_FACTORY_OVERDUE'),
  overdue: ['EX_FACTORY_OVERDUE'],
};

/** The rule whose progress has this name in a status, or null. */
const ruleOf = (name: ProgressName, statusId: StatusId): ReminderRule | null =>
  RULES_OF[name].find((rule) => RULES[rule].statuses.includes(statusId)) ?? null;

/** The reminders of a new order. */
export function initialReminders(facts: ReminderFacts, now: Date, settings: AdoptedSettings): OrderReminders {
  return computeReminders(facts, settings, () => ({ since: now, doneUntil: null }));
}

/** The reminders after a change of the order. */
export function updateReminders(
  stored: OrderReminders,
  facts: ReminderFacts,
  now: Date,
  settings: AdoptedSettings,
): OrderReminders {
  const isOutdated = stored.generation !== settings.generation;
  if (!isOutdated && stored.statusId === facts.statusId && stored.xfDate === facts.xfDate) return stored;
  const before = isOutdated ? recomputeReminders(stored, now, settings) : stored;
  return computeReminders(facts, settings, (name) => {
    const progress = before[name];
    if (progress && !restarts(name, before, facts)) return progress;
    const rule = ruleOf(name, facts.statusId);
    if (rule !== null && RULES[rule].from === 'xfDate') return { since: restartTime(now, progress), doneUntil: null };
    // Counts from the change itself, even if an EX_FACTORY rule started on the day after a reminder. The days before that start stay done.
    return { since: now, doneUntil: progress && latest(new Date(progress.since.getTime() - 1), progress.doneUntil) };
  });
}

/**
 * The reminders under other settings. Steps that are past due only under these settings are skipped, except a pending step whose day stays
 * the same and only its reminder time has moved into the past.
 */
export function recomputeReminders(before: OrderReminders, now: Date, settings: AdoptedSettings): OrderReminders {
  return computeReminders(before, settings, (name) => {
    const { since, doneUntil, nextDueAt } = before[name] ?? { since: now, doneUntil: null, nextDueAt: null };
    if (nextDueAt === null) return { since, doneUntil: latest(now, doneUntil) };
    if (nextDueAt <= now) return { since, doneUntil };
    const { calendar } = settings;
    const sameDay = calendar.remindingOn(calendar.dateOf(nextDueAt)).getTime();
    return { since, doneUntil: latest(new Date(Math.min(now.getTime(), sameDay - 1)), doneUntil) };
  });
}

const latest = (time: Date, other: Date | null): Date => (other !== null && other > time ? other : time);

/** A step to create, with the date of its rule's first step. */
export interface DueStep extends ReminderStep {
  firstOn: string;
}

/** The latest due step of each rule, and the reminders after these steps are created. */
export function dueSteps(
  reminders: OrderReminders,
  now: Date,
  settings: AdoptedSettings,
): { due: DueStep[]; after: OrderReminders } {
  const due = PROGRESS_NAMES.flatMap((name) => dueStepOf(name, reminders, now, settings) ?? []);
  const after = computeReminders(reminders, settings, (name) => {
    const [stored, created] = [reminders[name], due.find(({ rule }) => RULES_OF[name].includes(rule))];
    // The whole day counts as done, so that a new reminder time creates no second step.
    return stored && created ? { ...stored, doneUntil: latest(now, settings.calendar.endOf(created.dueOn)) } : stored;
  });
  return { due, after };
}

/** The next step of both rules for a side; null if there is none. */
export function nextDueFor(
  side: Side,
  { statusId, ...progress }: { statusId: StatusId } & Record<ProgressName, DueTimes>,
  calendar: BusinessCalendar,
): NextDue | null {
  const [next] = PROGRESS_NAMES.flatMap((name) => {
    const [rule, { nextDueAt: at, firstDueAt }] = [ruleOf(name, statusId), progress[name]];
    return rule && at && addresses(rule, side) ? [{ rule, at, firstAt: firstDueAt ?? at }] : [];
  }).toSorted((a, b) => a.at.getTime() - b.at.getTime());
  return next ? { rule: next.rule, on: calendar.dateOf(next.at), firstOn: calendar.dateOf(next.firstAt) } : null;
}

function restarts(name: ProgressName, before: ReminderFacts, after: ReminderFacts): boolean {
  const rule = ruleOf(name, after.statusId);
  if (rule === null || rule !== ruleOf(name, before.statusId)) return true;
  return RULES[rule].from === 'xfDate' ? before.xfDate !== after.xfDate : before.statusId !== after.statusId;
}

/** Start of a restarted EX_FACTORY rule. It is later than all earlier times although replica clocks differ, so no rule repeats a day. */
function restartTime(now: Date, progress: RuleProgress | null): Date {
  const times = [now, ...(progress ? [progress.since, ...(progress.doneUntil ? [progress.doneUntil] : [])] : [])];
  const latest = Math.max(...times.map(Number));
  return latest === progress?.doneUntil?.getTime() ? new Date(latest + 1) : new Date(latest);
}

function computeReminders(
  { statusId, xfDate }: ReminderFacts,
  settings: AdoptedSettings,
  stateOf: (name: ProgressName) => Pick<RuleProgress, 'since' | 'doneUntil'> | null,
): OrderReminders {
  const progressOf = (name: ProgressName): RuleProgress | null => {
    const rule = ruleOf(name, statusId);
    const state = rule && stateOf(name);
    if (!rule || !state) return null;
    const { since, doneUntil } = state;
    const steps = stepsUnder(settings, rule, { since, xfDate });
    const next = steps.find(({ dueAt }) => doneUntil === null || dueAt > doneUntil);
    return { since, doneUntil, firstDueAt: steps[0]?.dueAt ?? null, nextDueAt: next?.dueAt ?? null };
  };
  const { generation } = settings;
  return { generation, statusId, xfDate, waiting: progressOf('waiting'), overdue: progressOf('overdue') };
}

function dueStepOf(
  name: ProgressName,
  { statusId, xfDate, ...progressByName }: OrderReminders,
  now: Date,
  settings: AdoptedSettings,
): DueStep | null {
  const [rule, progress] = [ruleOf(name, statusId), progressByName[name]];
  if (!rule || !progress) return null;
  const { since, doneUntil } = progress;
  const steps = stepsUnder(settings, rule, { since, xfDate });
  const last = steps.findLast(({ dueAt }) => dueAt <= now && (doneUntil === null || dueAt > doneUntil));
  return last ? { ...last, firstOn: steps[0]?.dueOn ?? last.dueOn } : null;
}

function stepsUnder(
  { repetitions, calendar }: ReminderSettings,
  rule: ReminderRule,
  basis: { since: Date; xfDate: string },
): ReminderStep[] {
  const repetition = repetitions[rule];
  return repetition ? stepsOf(rule, repetition, basis, calendar) : [];
}
