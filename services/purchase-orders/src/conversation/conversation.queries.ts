import { Injectable } from '@nestjs/common';
import {
  type Message,
  type MessageQuery,
  type MessagesQuery,
  type Participant,
  type ParticipantsQuery,
  ProblemError,
} from '@po/contracts';
import { type Send, selectList } from '@po/database';
import { type Reply, type RpcContext, ok } from '@po/messaging';
import { participantsFor, visibleTo } from '../domain/conversation.js';
import { type Access, Databases } from '../store/databases.js';
import { MessageEntity } from '../store/message.entity.js';
import { scoped } from '../store/scoped-statement.js';
import { messageOf } from './message.view.js';
import { listParticipants } from './participants.js';

const COLUMNS = selectList(MessageEntity, 'm');
/** $1: order id, $2: visibilities that the caller may see. */
const VISIBLE = 'm.order_id = $1 AND m.visibility = ANY ($2)';

/** Reads of conversations in the caller's scope. A message that the caller may not see is treated as missing. */
@Injectable()
export class ConversationQueries {
  constructor(private readonly databases: Databases) {}

  /** Messages, newest first. X-Total-Count counts all messages that the caller may see. */
  async messages({ poRef, limit, before }: MessagesQuery, { actor }: RpcContext): Promise<Reply<Message[]>> {
    return this.inOrder(poRef, actor, async (read, access, orderId) => {
      const visible = [orderId, visibleTo(actor.role)];
      const page = scoped(
        access,
        'messages',
        [...visible, before ?? null, limit],
        (own) => `SELECT ${COLUMNS} FROM messages m
                   WHERE ${VISIBLE} AND ($3::uuid IS NULL OR m.id < $3) AND ${own('m.vendor_code')} ORDER BY m.id DESC LIMIT $4`,
      );
      const count = scoped(
        access,
        'count-messages',
        visible,
        (own) => `SELECT count(*)::integer AS total FROM messages m WHERE ${VISIBLE} AND ${own('m.vendor_code')}`,
      );
      const [rows, [counted]] = await Promise.all([
        read<MessageEntity>(page.statement, page.values),
        read<{ total: number }>(count.statement, count.values),
      ]);
      return ok(rows.map(messageOf), { 'x-total-count': String(counted?.total ?? 0) });
    });
  }

  async message({ poRef, messageId }: MessageQuery, { actor }: RpcContext): Promise<Reply<Message>> {
    return this.inOrder(poRef, actor, async (read, access, orderId) => {
      const { statement, values } = scoped(
        access,
        'message',
        [orderId, visibleTo(actor.role), messageId],
        (own) => `SELECT ${COLUMNS} FROM messages m WHERE ${VISIBLE} AND m.id = $3 AND ${own('m.vendor_code')}`,
      );
      const [row] = await read<MessageEntity>(statement, values);
      if (!row) throw new ProblemError('MESSAGE_NOT_FOUND');
      return ok(messageOf(row));
    });
  }

  async participants({ poRef, q, limit }: ParticipantsQuery, { actor }: RpcContext): Promise<Reply<Participant[]>> {
    return this.inOrder(poRef, actor, async (read, access) =>
      ok(await listParticipants(read, access, poRef, participantsFor(actor.role), { q, limit })),
    );
  }

  /** Runs reads on one snapshot. Throws PO_NOT_FOUND unless the caller may see the order. */
  private async inOrder<T>(
    poRef: string,
    actor: RpcContext['actor'],
    run: (read: Send, access: Access, orderId: number) => Promise<T>,
  ): Promise<T> {
    const access = this.databases.accessOf(actor);
    const { statement, values } = scoped(
      access,
      'order-id',
      [poRef],
      (own) => `SELECT o.id FROM purchase_orders o WHERE o.po_number = $1 AND ${own('o.vendor_code')}`,
    );
    return access.database.readAll(access.scope, async (read) => {
      const [order] = await read<{ id: number }>(statement, values);
      if (!order) throw new ProblemError('PO_NOT_FOUND');
      return run(read, access, order.id);
    });
  }
}
