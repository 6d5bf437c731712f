import type { OrderReminders, RuleProgress } from '../domain/reminders/reminders.js';
import type { OrderEntity } from './order.entity.js';

export type ReminderColumns = Pick<
  OrderEntity,
  'remindersGeneration' | `${'waiting' | 'overdue'}${'Since' | 'DoneUntil' | 'FirstDueAt' | 'NextDueAt'}`
>;

/** The reminders of a row, with the facts that they were computed from. */
export function remindersOf(row: ReminderColumns & Pick<OrderEntity, 'statusId' | 'xfDate'>): OrderReminders {
  return {
    generation: row.remindersGeneration,
    statusId: row.statusId,
    xfDate: row.xfDate,
    waiting: progressOf(row.waitingSince, row.waitingDoneUntil, row.waitingFirstDueAt, row.waitingNextDueAt),
    overdue: progressOf(row.overdueSince, row.overdueDoneUntil, row.overdueFirstDueAt, row.overdueNextDueAt),
  };
}

export function columnsOfReminders({ generation, waiting, overdue }: OrderReminders): ReminderColumns {
  return {
    remindersGeneration: generation,
    waitingSince: waiting?.since ?? null,
    waitingDoneUntil: waiting?.doneUntil ?? null,
    waitingFirstDueAt: waiting?.firstDueAt ?? null,
    waitingNextDueAt: waiting?.nextDueAt ?? null,
    overdueSince: overdue?.since ?? null,
    overdueDoneUntil: overdue?.doneUntil ?? null,
    overdueFirstDueAt: overdue?.firstDueAt ?? null,
    overdueNextDueAt: overdue?.nextDueAt ?? null,
  };
}

const progressOf = (
  since: Date | null,
  doneUntil: Date | null,
  firstDueAt: Date | null,
  nextDueAt: Date | null,
): RuleProgress | null => since && { since, doneUntil, firstDueAt, nextDueAt };
