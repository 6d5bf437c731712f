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
} from '@po/contracts';
import { type OutboxEntry, OutboxRelay, type Reply, type RpcContext, ok, written } from '@po/messaging';
import { type Circumstances, carryOut } from '../domain/commands.js';
import { permissionsOf } from '../domain/workflow.js';
import { answerOf, claimOf, recall, rememberAnswer, rememberRefusal } from '../idempotency/command-log.js';
import { Databases } from '../store/databases.js';
import { loadOrder } from '../store/load-order.js';
import { partsOf } from '../store/recent-orders.js';
import type { StoredOrder } from '../store/stored-order.js';
import { actOn, unchanged } from './act.js';
import { CommentRules } from './comment-rules.js';
import { etagOf, stalenessOf } from './entity-tag.js';
import { outboxEntryOf } from './publication.js';
import { recordAct } from './record-act.js';
import { type CommandOf, type CommandType, type WriteAnswers, answerTo } from './write-answers.js';

/** In place of a PO number, of which none is empty. */
const OF_NO_ORDER = '';

/** The writes of users: each is one transaction { recall, load, check and decide, record and remember }. */
@Injectable()
export class PurchaseOrdersService {
  constructor(
    private readonly databases: Databases,
    private readonly relay: OutboxRelay,
    private readonly rules: CommentRules,
  ) {}

  updateHeader({ poRef, patch }: UpdateHeader, context: RpcContext): Promise<Reply<PurchaseOrderDetail>> {
    return this.write(context, poRef, patch, { type: 'updateHeader', patch });
  }

  updateLines({ poRef, patch }: UpdateLines, context: RpcContext): Promise<Reply<LineItem[]>> {
    return this.write(context, poRef, patch, { type: 'updateLines', lines: patch.lines });
  }

  /** The file's bytes are what the key is bound to, not what was read of them. */
  importLines({ poRef, file, table }: ImportLines, context: RpcContext): Promise<Reply<ImportResult>> {
    return this.write(context, poRef, { file }, { type: 'importLines', table });
  }

  transition({ poRef, request }: ExecuteTransition, context: RpcContext): Promise<Reply<TransitionResult>> {
    const { action, comment = null } = request;
    return this.write(context, poRef, request, { type: 'transition', action, comment });
  }

  /**
   * Binds the idempotency key of a batch to its body. Of the orders nothing is looked at: each transition is a command of its own. A role
   * that can never move anything is refused.
   */
  async beginTransitions({ request }: BeginTransitions, context: RpcContext): Promise<Reply<TransitionsBegun>> {
    if (permissionsOf(context.actor.role).length === 0) throw new ProblemError('ROLE_NOT_ALLOWED');
    const { database, scope } = this.databases.accessOf(context.actor);
    const claim = claimOf(context, OF_NO_ORDER, request);
    const outcome = await database.transaction<Reply<TransitionsBegun> | ProblemError>(scope, async (send) => {
      const earlier = await recall(send, claim);
      if (earlier.outcome) return earlier.outcome;
      if (earlier.refusal) {
        void rememberRefusal(send, claim, earlier.refusal);
        return earlier.refusal;
      }
      const reply = ok({ success: true as const });
      void rememberAnswer(send, claim, reply);
      return reply;
    });
    if (outcome instanceof ProblemError) throw outcome;
    return outcome;
  }

  /** `body` is what the idempotency key is bound to. A refusal is committed, to be remembered, and then thrown. */
  private async write<T extends CommandType>(
    context: RpcContext,
    poRef: string,
    body: unknown,
    command: CommandOf<T>,
  ): Promise<Reply<WriteAnswers[T]>> {
    const { actor, ifMatch, traceparent } = context;
    const { database, scope, vendorCode } = this.databases.accessOf(actor);
    const claim = claimOf(context, poRef, body);
    const { recent } = this.databases;
    const done: { order?: StoredOrder; published: OutboxEntry[] } = { published: [] };
    const outcome = await database.transaction<Reply<WriteAnswers[T]> | ProblemError>(scope, async (send) => {
      const [earlier, loaded] = await Promise.all([recall(send, claim), loadOrder(send, poRef, recent.find(poRef))]);
      if (earlier.outcome) return earlier.outcome;
      // Row-level security hides other vendors' orders already; a scope that was forgotten there must not show one.
      const order = vendorCode === null || loaded?.vendorCode === vendorCode ? loaded : null;
      const now = new Date();
      const circumstances: Circumstances = {
        ...{ role: actor.role, commentRequired: this.rules.commentRequired, now },
        staleness: order && stalenessOf(ifMatch, order.version),
      };
      const decided = earlier.refusal ? { refused: earlier.refusal } : carryOut(order, command, circumstances);
      if ('refused' in decided) {
        void rememberRefusal(send, claim, decided.refused);
        return decided.refused;
      }
      const { before, after, entry } = decided;
      const changed = after !== before || entry !== null;
      const act = changed ? actOn(before, { after, entry: entry && { ...entry, actor }, now }) : unchanged(before, now);
      done.order = act.order;
      const reply = written(ok(answerTo({ command, circumstances, before, act }), { etag: etagOf(act.order.version) }));
      if (!changed) {
        void rememberAnswer(send, claim, reply);
        return reply;
      }
      const outbox = outboxEntryOf(act, traceparent);
      done.published.push(outbox);
      void recordAct(send, act, before.version, { outbox, answer: answerOf(claim, reply) });
      return reply;
    });
    if (outcome instanceof ProblemError) throw outcome;
    if (done.order) recent.keep(poRef, partsOf(done.order));
    this.relay.wake(done.published);
    return outcome;
  }
}
