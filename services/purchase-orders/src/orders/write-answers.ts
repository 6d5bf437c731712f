import { type LineItem, type PurchaseOrderDetail, type TransitionResult, statusOf } from '@po/contracts';
import type { Circumstances, OrderCommand } from '../domain/commands.js';
import { EncodedJson } from '@po/messaging';
import type { HistoryEntryEntity } from '../store/history-entry.entity.js';
import type { Act } from './act.js';
import { writtenLineItems } from './line-items.view.js';
import { detailOf } from './purchase-order.view.js';

export type CommandType = OrderCommand['type'];
export type CommandOf<T extends CommandType> = Extract<OrderCommand, { type: T }>;

/** What each command of a user is answered with. */
export interface WriteAnswers {
  updateHeader: PurchaseOrderDetail;
  updateLines: LineItem[];
  transition: TransitionResult;
}

const ANSWERS: {
  [T in CommandType]: (act: Act, command: CommandOf<T>, circumstances: Circumstances) => WriteAnswers[T] | EncodedJson;
} = {
  updateHeader: ({ row }, _command, { role, commentRequired, now }) => detailOf(row, role, commentRequired, now),
  updateLines: ({ order }) => new EncodedJson(writtenLineItems(order)),
  transition: ({ order, entry }, { action }) => {
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

/** The body that answers a command after its act. */
export function answerTo<T extends CommandType>(
  command: CommandOf<T>,
  act: Act,
  circumstances: Circumstances,
): WriteAnswers[T] | EncodedJson {
  return ANSWERS[command.type as T](act, command, circumstances);
}
