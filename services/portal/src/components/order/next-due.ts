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

/** All of them, in the order in which they are listed. */
export const DUE_RULES = Object.keys(TASK_OF) as ReminderRule[];

export interface DueState {
  task: DueTask;
  /** `YYYY-MM-DD`, by which it has to be done. */
  by: string;
  when: 'later' | 'today' | 'late';
  reminderOn: string;
}

/** What an order waits for on this day; null where nothing is due, or its rule is newer than this portal. */
export function dueStateOf(
  { nextDue, xfDate }: Pick<OrderSummary, 'nextDue' | 'xfDate'>,
  today: string,
): DueState | null {
  if (!nextDue || !Object.hasOwn(TASK_OF, nextDue.rule)) return null;
  const task = TASK_OF[nextDue.rule];
  // An order service of the release before, while it is replaced, has none.
  const firstOn: string | undefined = nextDue.firstOn;
  // The rules of the ex-factory date remind some days before it, or after it.
  const by = task === 'exFactory' ? xfDate : (firstOn ?? nextDue.on);
  return { task, by, when: by > today ? 'later' : by === today ? 'today' : 'late', reminderOn: nextDue.on };
}

/** The day at this time (epoch milliseconds) by which the API reckons what is late: that of UTC, wherever the user is. */
export const todayAt = (now: number): string => new Date(now).toISOString().slice(0, 10);
