import { Injectable } from '@nestjs/common';
import {
  type BeginTransitions,
  type ExecuteTransition,
  type ImportLines,
  type ImportResult,
  type LineItem,
  ProblemError,
  type PurchaseOrderDetail,
  type TransitionResult,
  type TransitionsBegun,
  type UpdateHeader,
  type UpdateLines,
  statusOf,
} from '@po/contracts';
import {
  SerializedJson,
  type OutboxEntry,
  OutboxRelay,
  type Reply,
  type RpcContext,
  etagOf,
  ok,
  stalenessOf,
  withSerializedBody,
} from '@po/messaging';
import { approveAutomatically } from '../domain/automatic-approval.js';
import { type CommandContext, decide, type OrderCommand } from '../domain/commands.js';
import { repliesChanged } from '../domain/imports/import-lines.js';
import type { Order } from '../domain/order.js';
import { ReminderSettings } from '../domain/reminders/reminders.js';
import { permissionsOf, CommentRules } from '../domain/workflow.js';
import { replyRowOf, executeCommand, idempotencyKeyOf, readNothing, saveReply } from '../idempotency/command-log.js';
import { Databases } from '../store/databases.js';
import type { Send } from '@po/database';
import type { CommandEntity } from '../idempotency/command.entity.js';
import { loadVisibleOrder, cachedLinesOf } from '../store/load-order.js';
import { lockPolicyInForce } from '../store/policy-in-force.js';
import type { StoredOrder } from '../store/stored-order.js';
import { type OrderChange, updateOf, unchanged, saveChange, timeOfChange } from './order-change.js';
import { outboxEntryOf } from './outbox-entry.js';
import type { HistoryEntryEntity } from '../store/history-entry.entity.js';
import { serializeLineItems, detailOf } from './purchase-order.view.js';

type CommandType = OrderCommand['type'];
type CommandOf<T extends CommandType> = Extract<OrderCommand, { type: T }>;

/** The body of the reply to each command. */
interface ReplyBodies {
  updateHeader: PurchaseOrderDetail;
  updateLines: LineItem[];
  importLines: ImportResult;
  transition: TransitionResult;
}

/** Replaces the PO number in the scope of a batch's idempotency key; PO numbers are never empty. */
const NO_ORDER = '';

/** The users' writes, each in one transaction: reserve the key, load, check and decide, save the change and the answer. */
@Injectable()
export class PurchaseOrdersService {
  constructor(
    private readonly databases: Databases,
    private readonly relay: OutboxRelay,
    private readonly rules: CommentRules,
    private readonly reminders: ReminderSettings,
  ) {}

  updateHeader({ poRef, patch }: UpdateHeader, context: RpcContext): Promise<Reply<PurchaseOrderDetail>> {
    return this.write(context, poRef, patch, { type: 'updateHeader', patch });
  }

  updateLines({ poRef, patch }: UpdateLines, context: RpcContext): Promise<Reply<LineItem[]>> {
    return this.write(context, poRef, patch, { type: 'updateLines', lines: patch.lines });
  }

  /** The idempotency key is bound to the file's bytes, not to the parsed table. */
  importLines({ poRef, file, table }: ImportLines, context: RpcContext): Promise<Reply<ImportResult>> {
    return this.write(context, poRef, { file }, { type: 'importLines', table });
  }

  transition({ poRef, request }: ExecuteTransition, context: RpcContext): Promise<Reply<TransitionResult>> {
    const { action, comment = null } = request;
    return this.write(context, poRef, request, { type: 'transition', action, comment });
  }

  /**
   * Binds the idempotency key of a batch to its body. The orders are not read, because each transition is a separate command. Refuses a
   * role without any transitions.
   */
  async beginTransitions({ request }: BeginTransitions, context: RpcContext): Promise<Reply<TransitionsBegun>> {
    if (permissionsOf(context.actor.role).length === 0) throw new ProblemError('ROLE_NOT_ALLOWED');
    const key = idempotencyKeyOf(context, NO_ORDER, request);
    return executeCommand(this.databases.accessOf(context.actor), key, readNothing, (send) => {
      const reply = ok({ success: true as const });
      void saveReply(send, key, reply);
      return reply;
    });
  }

  /** The idempotency key is bound to `body`. */
  private async write<T extends CommandType>(
    context: RpcContext,
    poRef: string,
    body: unknown,
    command: CommandOf<T>,
  ): Promise<Reply<ReplyBodies[T]>> {
    const { actor, ifMatch, traceparent } = context;
    const access = this.databases.accessOf(actor);
    const { vendorCode } = access;
    const key = idempotencyKeyOf(context, poRef, body);
    const { orderCache } = this.databases;
    const done: { order?: StoredOrder } = {};
    const read = (send: Send) =>
      Promise.all([
        loadVisibleOrder(send, vendorCode, poRef, orderCache.get(poRef)),
        vendorCode !== null && isSubmission(command) ? lockPolicyInForce(send, vendorCode) : null,
      ]);
    const reply: Reply<ReplyBodies[T]> = await executeCommand(access, key, read, (send, [order, policy]) => {
      const now = timeOfChange(order);
      const commandContext: CommandContext = {
        role: actor.role,
        commentRequired: this.rules.commentRequired,
        now,
        staleness: order && stalenessOf(ifMatch, order.version),
      };
      const { before, after, entry } = decide(order, command, commandContext);
      const { reminders } = this;
      const changed = after !== before || entry !== null;
      const change = changed
        ? updateOf(before, { after, entry: entry && { ...entry, actor }, now, reminders })
        : unchanged(before, now);
      const approved = approveAutomatically(change.order, entry?.deviation, policy, commandContext);
      const approval =
        approved &&
        updateOf(change.order, {
          ...approved,
          entry: approved.entry && { ...approved.entry, actor: null },
          reminders,
        });
      done.order = (approval ?? change).order;
      const handled = { command, context: commandContext, before, change, approval, reminders };
      const answer = withSerializedBody(
        ok(REPLY_BODIES[command.type as T](handled), { etag: etagOf(done.order.version) }),
      );
      if (changed) saveAll(send, { change, approval }, traceparent, replyRowOf(key, answer));
      else void saveReply(send, key, answer);
      return answer;
    });
    if (done.order) orderCache.set(poRef, cachedLinesOf(done.order));
    this.relay.wake();
    return reply;
  }
}

const isSubmission = (command: OrderCommand): boolean => command.type === 'transition' && command.action === 'SUBMIT';

/** The change of a command, and the approval by a policy that followed it, if any. */
interface Outcome {
  change: OrderChange;
  approval: OrderChange | null;
}

/** Saves the changes, each of which raises the version by one. */
function saveAll(send: Send, { change, approval }: Outcome, traceparent: string, answer: CommandEntity): void {
  const save = (each: OrderChange, outbox: OutboxEntry, also: CommandEntity | null) =>
    void saveChange(send, each, each.order.version - 1, { outbox, answer: also });
  if (!approval) return save(change, outboxEntryOf(change, traceparent), answer);
  save(change, outboxEntryOf(change, traceparent, { autoApproved: true }), null);
  save(approval, outboxEntryOf(approval, traceparent, { submittedChanges: change.entry?.changes ?? null }), answer);
}

interface HandledCommand<T extends CommandType> extends Outcome {
  command: CommandOf<T>;
  context: CommandContext;
  before: Order;
  reminders: ReminderSettings;
}

const REPLY_BODIES: { [T in CommandType]: (handled: HandledCommand<T>) => ReplyBodies[T] | SerializedJson } = {
  updateHeader: ({ change: { row }, context: { role, commentRequired, now }, reminders: { calendar } }) =>
    detailOf(row, { role, commentRequired, calendar, now }),
  updateLines: ({ change: { order } }) => new SerializedJson(serializeLineItems(order)),
  importLines: ({ change: { order }, before, command: { table } }) => ({
    applied: true,
    rows: table.rows.length,
    changes: repliesChanged(before, order),
    errors: [],
  }),
  transition: ({ change: { order: moved, entry }, approval, command: { action } }) => {
    const order = approval?.order ?? moved;
    const { statusId, status, statusZh } = statusOf(order.statusId);
    return {
      success: true,
      newStatusId: statusId,
      newStatus: status,
      message: `Transition ${action} completed`,
      newStatusZh: statusZh,
      version: order.version,
      historyId: (entry as HistoryEntryEntity).id,
      autoApproved: approval !== null,
    };
  },
};
