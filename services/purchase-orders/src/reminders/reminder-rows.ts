import { type Send, type Statement, rowsParameters, selectList } from '@po/database';
import type { OrderReminders } from '../domain/reminders/reminders.js';
import { OrderEntity } from '../store/order.entity.js';
import { type OrderRow, columnsOfReminders } from '../store/order-rows.js';

const REMINDER_PROPERTIES = [
  'remindersGeneration',
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
  row: Pick<ReminderRow, 'id'>;
  reminders: OrderReminders;
}

/** Stores the reminders of orders whose rows are locked. Versions stay, although the visible content changes. */
export function saveReminders(send: Send, orders: readonly Moved[]): void {
  const rows = orders.map(({ row, reminders }) => ({ id: row.id, ...columnsOfReminders(reminders) }) as OrderEntity);
  void send(SAVE, ROWS.values(rows));
}
