import {
  type ImportResult,
  type ImportTable,
  type LineItem,
  type PurchaseOrderDetail,
  type TransitionResult,
  statusOf,
} from '@po/contracts';
import type { CommandContext, OrderCommand } from '../domain/commands.js';
import { repliesChanged } from '../domain/import-lines.js';
import type { Order } from '../domain/order.js';
import { EncodedJson } from '@po/messaging';
import type { HistoryEntryEntity } from '../store/history-entry.entity.js';
import type { OrderChange } from './order-change.js';
import { serializeLineItems } from './line-items.view.js';
import { detailOf } from './purchase-order.view.js';

export type CommandType = OrderCommand['type'];
export type CommandOf<T extends CommandType> = Extract<OrderCommand, { type: T }>;

/** What each command of a user is answered with. */
export interface WriteAnswers {
  updateHeader: PurchaseOrderDetail;
  updateLines: LineItem[];
  importLines: ImportResult;
  transition: TransitionResult;
}

interface Asked<T extends CommandType> {
  command: CommandOf<T>;
  context: CommandContext;
  before: Order;
  change: OrderChange;
}

const ANSWERS: {
  [T in CommandType]: (asked: Asked<T>) => WriteAnswers[T] | EncodedJson;
} = {
  updateHeader: ({ change: { row }, context: { role, commentRequired, now } }) =>
    detailOf(row, role, commentRequired, now),
  updateLines: ({ change: { order } }) => new EncodedJson(serializeLineItems(order)),
  importLines: ({ change: { order }, before, command: { table } }) => importResultOf(table, before, order, true),
  transition: ({ change: { order, entry }, command: { action } }) => {
    const { statusId, status, statusZh } = statusOf(order.statusId);
    return {
      success: true,
      newStatusId: statusId,
      newStatus: status,
      message: `Transition ${action} completed`,
      newStatusZh: statusZh,
      version: order.version,
      historyId: (entry as HistoryEntryEntity).id,
    };
  },
};

/** The body that answers a command after its change. */
export function answerTo<T extends CommandType>(asked: Asked<T>): WriteAnswers[T] | EncodedJson {
  return ANSWERS[asked.command.type as T](asked);
}

/** What an import has changed, or would change. */
export const importResultOf = ({ rows }: ImportTable, before: Order, after: Order, applied: boolean): ImportResult => ({
  applied,
  rows: rows.length,
  changes: repliesChanged(before, after),
  errors: [],
});
