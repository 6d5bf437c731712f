import { Injectable } from '@nestjs/common';
import {
  type Actor,
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
  OutboxRelay,
  type Reply,
  type RpcContext,
  SerializedJson,
  etagOf,
  ok,
  stalenessOf,
  withSerializedBody,
} from '@po/messaging';
import { approveAutomatically } from '../domain/automatic-approval.js';
import { type CommandContext, decide, type OrderCommand } from '../domain/commands.js';
import { repliesChanged } from '../domain/imports/import-lines.js';
import type { AdoptedSettings } from '../domain/reminders/reminders.js';
import type { PolicyInForce } from '../domain/tolerances.js';
import { permissionsOf } from '../domain/workflow.js';
import { answerRowOf, executeCommand, idempotencyKeyOf, readNothing } from '../idempotency/command-log.js';
import { AdoptedReminderSettings } from '../store/adopted-reminder-settings.js';
import { Databases } from '../store/databases.js';
import type { Send } from '@po/database';
import type { CommandEntity } from '../idempotency/command.entity.js';
import { lockPolicyInForce } from '../store/policy-in-force.js';
import type { StoredOrder } from '../store/stored-order.js';
import { type OrderChange, updateOf, unchanged, saveChange, timeOfChange } from './order-change.js';
import { OrderSettings } from './order-settings.js';
import { outboxEntryOf } from './outbox-entry.js';
import type { HistoryEntryEntity } from '../store/history-entry.entity.js';
import { serializeLineItems, detailOf } from './purchase-order.view.js';

/** Replaces the PO number in the scope of a batch's idempotency key; PO numbers are never empty. */
const NO_ORDER = '';

/** The users' writes, each in one transaction: reserve the key, load, check and decide, save the change and the answer. */
@Injectable()
export class PurchaseOrdersService {
  constructor(
    private readonly databases: Databases,
    private readonly relay: OutboxRelay,
    private readonly settings: OrderSettings,
    private readonly reminders: AdoptedReminderSettings,
  ) {}

  updateHeader({ poRef, patch }: UpdateHeader, context: RpcContext): Promise<Reply<PurchaseOrderDetail>> {
    const { settings } = this;
    return this.write(context, poRef, patch, { type: 'updateHeader', patch }, ({ change: { row, now } }) =>
      detailOf(row, { role: context.actor.role, settings, now }),
    );
  }

  updateLines({ poRef, patch }: UpdateLines, context: RpcContext): Promise<Reply<LineItem[]>> {
    const command: OrderCommand = { type: 'updateLines', lines: patch.lines };
    return this.write<LineItem[]>(
      context,
      poRef,
      patch,
      command,
      ({ order }) => new SerializedJson(serializeLineItems(order)),
    );
  }

  /** The idempotency key is bound to the file's bytes, not to the parsed table. */
  importLines({ poRef, file, table }: ImportLines, context: RpcContext): Promise<Reply<ImportResult>> {
    return this.write(context, poRef, { file }, { type: 'importLines', table }, ({ before, order }) => ({
      applied: true,
      rows: table.rows.length,
      changes: repliesChanged(before, order),
      errors: [],
    }));
  }

  transition({ poRef, request }: ExecuteTransition, context: RpcContext): Promise<Reply<TransitionResult>> {
    const { action, comment = null } = request;
    const command: OrderCommand = { type: 'transition', action, comment };
    return this.write(context, poRef, request, command, ({ order, change, approval }) => {
      const { statusId, status, statusZh } = statusOf(order.statusId);
      return {
        success: true,
        newStatusId: statusId,
        newStatus: status,
        message: `Transition ${action} completed`,
        newStatusZh: statusZh,
        version: order.version,
        // Every transition has an entry.
        historyId: (change.entry as HistoryEntryEntity).id,
        autoApproved: approval !== null,
      };
    });
  }

  /**
   * Binds the idempotency key of a batch to its body. The orders are not read, because each transition is a separate command. Refuses a
   * role without any transitions.
   */
  async beginTransitions({ request }: BeginTransitions, context: RpcContext): Promise<Reply<TransitionsBegun>> {
    if (permissionsOf(context.actor.role).length === 0) throw new ProblemError('ROLE_NOT_ALLOWED');
    const key = idempotencyKeyOf(context, NO_ORDER, request);
    const { reply } = await executeCommand(this.databases.accessOf(context.actor), key, readNothing, () => ({
      reply: ok({ success: true as const }),
    }));
    return reply;
  }

  /** The idempotency key is bound to `body`. */
  private async write<Body>(
    context: RpcContext,
    poRef: string,
    body: unknown,
    command: OrderCommand,
    bodyOf: (executed: Executed) => Body | SerializedJson,
  ): Promise<Reply<Body>> {
    const { actor, ifMatch, traceparent } = context;
    const access = this.databases.accessOf(actor);
    const key = idempotencyKeyOf(context, poRef, body);
    const { orders } = this.databases;
    const read = (send: Send) =>
      Promise.all([
        orders.lock(send, poRef, access.vendorCode),
        access.vendorCode !== null && isSubmission(command) ? lockPolicyInForce(send, access.vendorCode) : null,
      ]);
    const answered = await executeCommand(access, key, read, (send, [order, policy]) => {
      const executed = execute(order, command, policy, {
        actor,
        role: actor.role,
        commentRequired: this.settings.commentRequired,
        staleness: order && stalenessOf(ifMatch, order.version),
        now: timeOfChange(order),
        reminderSettings: this.reminders.current,
      });
      const isChanged = executed.order !== order;
      const reply = withSerializedBody(ok(bodyOf(executed), { etag: etagOf(executed.order.version) }));
      if (isChanged) save(send, executed, traceparent, answerRowOf(key, reply));
      return { reply, isSaved: isChanged, order: executed.order };
    });
    if ('order' in answered) orders.remember(answered.order);
    this.relay.wake();
    return answered.reply;
  }
}

const isSubmission = (command: OrderCommand): boolean => command.type === 'transition' && command.action === 'SUBMIT';

/** A command that was executed: its change, which may be empty, and the approval by a policy that followed it, if any. */
interface Executed {
  before: StoredOrder;
  change: OrderChange;
  approval: OrderChange | null;
  /** The order after both; the same object as before if nothing changed. */
  order: StoredOrder;
}

interface ExecutionContext extends CommandContext {
  actor: Actor;
  reminderSettings: AdoptedSettings;
}

/** Executes a command without storing anything. Throws the refusal, a ProblemError. */
function execute(
  loaded: StoredOrder | null,
  command: OrderCommand,
  policy: PolicyInForce | null,
  context: ExecutionContext,
): Executed {
  const { before, after, entry } = decide(loaded, command, context);
  const { actor, now, reminderSettings } = context;
  const change =
    after === before && !entry
      ? unchanged(before, now)
      : updateOf(before, { after, entry: entry && { ...entry, actor }, now, reminderSettings });
  const approved =
    policy && entry?.deviation ? approveAutomatically(change.order, entry.deviation, policy, context) : null;
  const approval =
    approved &&
    updateOf(change.order, {
      ...approved,
      entry: approved.entry && { ...approved.entry, actor: null },
      reminderSettings,
    });
  return { before, change, approval, order: (approval ?? change).order };
}

/** Saves the changes, each of which raises the version by one. */
function save(send: Send, { change, approval }: Executed, traceparent: string, answer: CommandEntity): void {
  if (!approval) {
    void saveChange(send, change, outboxEntryOf(change, traceparent), answer);
    return;
  }
  const submittedChanges = change.entry?.changes ?? null;
  void saveChange(send, change, outboxEntryOf(change, traceparent, { autoApproved: true }), null);
  void saveChange(send, approval, outboxEntryOf(approval, traceparent, { submittedChanges }), answer);
}
