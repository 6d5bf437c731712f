import type { OrderSummary, ReminderRule } from '../../api/schemas.js';

const RULES_OF_VENDORS: readonly ReminderRule[] = ['REPLY_DUE', 'EX_FACTORY_SOON', 'EX_FACTORY_OVERDUE'];
const RULES_OF_BUYERS: readonly ReminderRule[] = ['APPROVAL_DUE', 'EX_FACTORY_OVERDUE', 'DELIVERY_DUE'];

export const dueRulesOf = (role: string | undefined): readonly ReminderRule[] =>
  role === 'VENDOR' ? RULES_OF_VENDORS : RULES_OF_BUYERS;

export type DueTask = 'reply' | 'approval' | 'exFactory' | 'delivery';

const TASK_OF: Readonly<Record<ReminderRule, DueTask>> = {
  REPLY_DUE: 'reply',
  APPROVAL_DUE: 'approval',
  EX_FACTORY_SOON: 'exFactory',
  EX_FACTORY_OVERDUE: 'exFactory',
  DELIVERY_DUE: 'delivery',
};

/** All rules, in display order. */
export const DUE_RULES = Object.keys(TASK_OF) as ReminderRule[];

export interface DueState {
  task: DueTask;
  /** Due date, `YYYY-MM-DD`. */
  by: string;
  when: 'later' | 'today' | 'overdue';
  reminderOn: string;
}

/** The due task of an order as of `today`; null if nothing is due or the rule is newer than this portal. */
export function dueStateOf(
  { nextDue, xfDate }: Pick<OrderSummary, 'nextDue' | 'xfDate'>,
  today: string,
): DueState | null {
  if (!nextDue || !Object.hasOwn(TASK_OF, nextDue.rule)) return null;
  const task = TASK_OF[nextDue.rule];
  // Missing while an order service of the previous release is still running.
  const firstOn: string | undefined = nextDue.firstOn;
  // For the ex-factory date, reminders come some days before or after the date itself.
  const by = task === 'exFactory' ? xfDate : (firstOn ?? nextDue.on);
  return { task, by, when: by > today ? 'later' : by === today ? 'today' : 'overdue', reminderOn: nextDue.on };
}

/** The UTC day at `now` (epoch milliseconds). The API uses UTC days for due dates, in every time zone of the user. */
export const todayAt = (now: number): string => new Date(now).toISOString().slice(0, 10);
