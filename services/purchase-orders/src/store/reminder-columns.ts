import type { OrderReminders, ReminderClock } from '../domain/reminders.js';
import type { OrderEntity } from './order.entity.js';

/** The columns of an order's reminders. */
export type ReminderColumns = Pick<
  OrderEntity,
  | `reminders${'Generation' | 'StatusId' | 'XfDate' | 'MovedAt'}`
  | `${'waiting' | 'overdue'}${'Since' | 'DoneUntil' | 'FirstDueAt' | 'NextDueAt'}`
>;

/** The reminders of a row; null where a version wrote it that knows none. */
export function remindersOf(row: ReminderColumns): OrderReminders | null {
  const { remindersGeneration: generation, remindersStatusId: statusId, remindersXfDate: xfDate } = row;
  if (generation === null || statusId === null || xfDate === null) return null;
  return {
    generation,
    statusId,
    xfDate,
    movedAt: row.remindersMovedAt,
    waiting: clockOf(row.waitingSince, row.waitingDoneUntil, row.waitingFirstDueAt, row.waitingNextDueAt),
    overdue: clockOf(row.overdueSince, row.overdueDoneUntil, row.overdueFirstDueAt, row.overdueNextDueAt),
  };
}

export function columnsOfReminders(reminders: OrderReminders | null): ReminderColumns {
  const { waiting, overdue } = reminders ?? { waiting: null, overdue: null };
  return {
    remindersGeneration: reminders?.generation ?? null,
    remindersStatusId: reminders?.statusId ?? null,
    remindersXfDate: reminders?.xfDate ?? null,
    remindersMovedAt: reminders?.movedAt ?? null,
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

const clockOf = (
  since: Date | null,
  doneUntil: Date | null,
  firstDueAt: Date | null,
  nextDueAt: Date | null,
): ReminderClock | null => since && { since, doneUntil, firstDueAt, nextDueAt };
