import { Injectable } from '@nestjs/common';
import {
  type EditableField,
  type ExecuteTransition,
  type LineItem,
  ProblemError,
  type PurchaseOrderDetail,
  type TransitionResult,
  type UpdateHeader,
  type UpdateLines,
  statusOf,
} from '@po/contracts';
import { OutboxRelay, type Reply, type RpcContext, ok } from '@po/messaging';
import type { EntityManager } from 'typeorm';
import { applyTransition } from '../domain/transitions.js';
import { type Remember, runOnce } from '../idempotency/command-log.js';
import { CommentRules } from './comment-rules.js';
import { Databases } from '../store/databases.js';
import { applyHeaderPatch, applyLinesPatch } from '../domain/edits.js';
import { loadOrder } from '../store/load-order.js';
import type { Order } from '../domain/order.js';
import { rowOf } from '../store/order-rows.js';
import { detailOf } from './purchase-order.view.js';
import { recordAct } from './record-act.js';
import type { ActEntry, RecordedAct, StoredOrder } from '../store/stored-order.js';
import { lineItems } from '../domain/values.js';
import { etagOf, requireVersion } from './entity-tag.js';
import { checkEdit, decide } from '../domain/workflow.js';

/** One kind of write: who may do it when, what it does, and what it answers. All three are pure. */
interface Write<Body> {
  poRef: string;
  /** What an idempotency key is bound to. */
  body: unknown;
  refusalOf: (order: Order) => ProblemError | null;
  /** The same order back when nothing changes: then nothing is stored. May throw refusals of values. */
  change: (order: Order, now: Date) => { after: Order; entry: ActEntry | null };
  answer: (order: StoredOrder, historyId: string | null, now: Date) => Body;
}

/** The writes of users: each is one transaction { once per command, load for the actor, decide, record }. */
@Injectable()
export class PurchaseOrdersService {
  constructor(
    private readonly databases: Databases,
    private readonly relay: OutboxRelay,
    private readonly rules: CommentRules,
  ) {}

  updateHeader({ poRef, patch }: UpdateHeader, context: RpcContext): Promise<Reply<PurchaseOrderDetail>> {
    const { role } = context.actor;
    const fields = Object.keys(patch) as EditableField[];
    return this.write(context, {
      poRef,
      body: patch,
      refusalOf: (order) => checkEdit(order.statusId, role, fields),
      change: (order) => ({ after: applyHeaderPatch(order, patch), entry: null }),
      answer: (order, _historyId, now) => detailOf(rowOf(order), role, this.rules.commentRequired, now),
    });
  }

  updateLines({ poRef, patch }: UpdateLines, context: RpcContext): Promise<Reply<LineItem[]>> {
    const fields = new Set(
      patch.lines.flatMap(({ rowHash: _rowHash, ...values }) => Object.keys(values) as EditableField[]),
    );
    return this.write(context, {
      poRef,
      body: patch,
      refusalOf: (order) => checkEdit(order.statusId, context.actor.role, [...fields]),
      change: (order) => ({ after: applyLinesPatch(order, patch.lines), entry: null }),
      answer: (order) => lineItems(order),
    });
  }

  transition({ poRef, request }: ExecuteTransition, context: RpcContext): Promise<Reply<TransitionResult>> {
    const { action, comment = null } = request;
    const { actor } = context;
    const { commentRequired } = this.rules;
    const decision = ({ statusId }: Order) => decide({ statusId, action, role: actor.role, comment, commentRequired });
    return this.write(context, {
      poRef,
      body: request,
      refusalOf: (order) => {
        const decided = decision(order);
        return 'refused' in decided ? decided.refused : null;
      },
      change: (order, now) => {
        const decided = decision(order);
        if ('refused' in decided) throw decided.refused;
        const { toStatusId } = decided;
        const { order: after, changes, agreed } = applyTransition(order, { action, toStatusId, now });
        return { after, entry: { action, comment, actor, changes, ...(agreed ? { agreed } : {}) } };
      },
      answer: (order, historyId) => {
        const { statusId, status, statusZh } = statusOf(order.statusId);
        return {
          success: true as const,
          newStatusId: statusId,
          newStatus: status,
          message: `Transition ${action} completed`,
          newStatusZh: statusZh,
          version: order.version,
          historyId: historyId as string,
        };
      },
    });
  }

  private async write<Body>(context: RpcContext, write: Write<Body>): Promise<Reply<Body>> {
    const { database, scope, vendorCode } = this.databases.accessOf(context.actor);
    const { poRef, body } = write;
    const outcome = await database.transaction(scope, (manager) =>
      runOnce<Body>(manager, { context, poRef, body }, (remember) =>
        execute(manager, context, write, vendorCode, remember),
      ),
    );
    if (outcome instanceof ProblemError) throw outcome;
    this.relay.wake();
    return outcome;
  }
}

// The order of the checks is part of the interface: scope, role, version, state, values.
async function execute<Body>(
  manager: EntityManager,
  { ifMatch, traceparent }: RpcContext,
  { poRef, refusalOf, change, answer }: Write<Body>,
  vendorCode: string | null,
  remember: Remember<Body>,
): Promise<void> {
  const order = await loadOrder(manager, poRef);
  // Row-level security hides other vendors' orders already; a scope that was forgotten there must not show one.
  if (!order || (vendorCode !== null && order.vendorCode !== vendorCode)) throw new ProblemError('PO_NOT_FOUND');
  const refusal = refusalOf(order);
  if (refusal?.status === 403) throw refusal;
  requireVersion(ifMatch, order.version);
  if (refusal) throw refusal;
  const now = new Date();
  const { after, entry } = change(order, now);
  const reply = ({ order: current, historyId }: Pick<RecordedAct, 'order' | 'historyId'>) =>
    ok(answer(current, historyId, now), { etag: etagOf(current.version) });
  if (after === order && entry === null) await remember(reply({ order, historyId: null }));
  else {
    const act = { before: order, after, vendorName: order.vendorName, entry, now, traceparent, synced: false };
    await recordAct(manager, act, (recorded) => remember(reply(recorded)));
  }
}
