import { type Send, type Statement, rowsParameters, selectList } from '@po/database';
import type { OrderReminders } from '../domain/reminders/reminders.js';
import { columnsOfReminders } from '../store/reminder-columns.js';
import { OrderEntity } from '../store/order.entity.js';
import type { OrderRow } from '../store/order-rows.js';

const REMINDER_PROPERTIES = [
  'remindersGeneration',
  'remindersMovedAt',
  'waitingSince',
  'waitingDoneUntil',
  'waitingFirstDueAt',
  'waitingNextDueAt',
  'overdueSince',
  'overdueDoneUntil',
  'overdueFirstDueAt',
  'overdueNextDueAt',
] as const satisfies readonly (keyof ReturnType<typeof columnsOfReminders>)[];

const READ = [
  'id',
  'poNumber',
  'vendorCode',
  'statusId',
  'version',
  'buyerEmail',
  'xfDate',
  'updatedAt',
  ...REMINDER_PROPERTIES,
] as const satisfies readonly (keyof OrderRow)[];

/** The columns of an order that reminders need. */
export type ReminderRow = Pick<OrderRow, (typeof READ)[number] | 'vendorName'>;

/** Selects rows as `ReminderRow`; append a WHERE clause. */
export const SELECT_REMINDERS = `SELECT ${selectList(OrderEntity, 'o', READ)}, v.name AS "vendorName"
  FROM purchase_orders o JOIN vendors v ON v.code = o.vendor_code`;

/** Due time of an order's earliest step that is neither created nor skipped, as the expression of its index. */
export const NEXT_DUE_AT = 'LEAST(o.waiting_next_due_at, o.overdue_next_due_at)';

const ROWS = rowsParameters(OrderEntity, 1, ['id', ...REMINDER_PROPERTIES]);
const SAVE: Statement = {
  name: 'save-reminders',
  text: `UPDATE purchase_orders o
            SET ${ROWS.columns
              .filter((column) => column !== 'id')
              .map((column) => `${column} = n.${column}`)
              .join(', ')}
           FROM ${ROWS.rows} WHERE o.id = n.id`,
};

interface Moved {
  row: Pick<ReminderRow, 'id' | 'updatedAt'>;
  reminders: OrderReminders;
}

/** Stores the reminders of orders whose rows are locked. Versions stay, although the visible content changes. */
export function saveReminders(send: Send, orders: readonly Moved[], now: Date): void {
  const rows = orders.map(({ row, reminders }) => {
    // The version may have been created after `now` was read.
    const movedAt = new Date(Math.max(now.getTime(), row.updatedAt.getTime() + 1));
    return { id: row.id, ...columnsOfReminders({ ...reminders, movedAt }) } as OrderEntity;
  });
  void send(SAVE, ROWS.values(rows));
}
