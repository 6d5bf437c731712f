import { Injectable } from '@nestjs/common';
import {
  type Message,
  type MessageQuery,
  type MessagesQuery,
  type Participant,
  type ParticipantsQuery,
  ProblemError,
} from '@po/contracts';
import { selectList } from '@po/database';
import { type Reply, type RpcContext, ok } from '@po/messaging';
import { participantsFor, visibleTo } from '../domain/conversation.js';
import { Databases, type Read } from '../store/databases.js';
import { MessageEntity } from '../store/message.entity.js';
import { messageOf } from './message.view.js';
import { listParticipants } from './participants.js';

const COLUMNS = selectList(MessageEntity, 'm');
/** $1: order id, $2: visibilities that the caller may see. */
const VISIBLE = 'm.order_id = $1 AND m.visibility = ANY ($2)';
/** Maximum bytes of texts that are read without reserving memory. */
const SMALL_PAGE_BYTES = 64 * 1024;
/** Bytes in memory per byte of a text. */
const EXPANSION = 3;

/** Reads of conversations in the caller's scope. A message that the caller may not see is treated as missing. */
@Injectable()
export class ConversationQueries {
  constructor(private readonly databases: Databases) {}

  /** Messages, newest first. X-Total-Count counts all messages that the caller may see. */
  async messages({ poRef, limit, before }: MessagesQuery, context: RpcContext): Promise<Reply<Message[]>> {
    const { actor } = context;
    /** Without its rows if their texts have more bytes than this. */
    const page = (most: number) =>
      this.inOrder(poRef, actor, async (read, orderId) => {
        const values = [orderId, visibleTo(actor.role), before ?? null, limit];
        const select = (own: (column: string) => string) => `SELECT ${COLUMNS} FROM messages m
          WHERE ${VISIBLE} AND ($3::uuid IS NULL OR m.id < $3) AND ${own('m.vendor_code')} ORDER BY m.id DESC LIMIT $4`;
        const [{ total, bytes } = { total: 0, bytes: 0 }] = await read<{ total: number; bytes: number }>(
          'count-messages',
          values,
          (own) => `SELECT count(*)::integer AS total,
                           (SELECT coalesce(sum(octet_length(page.body)), 0)::integer FROM (${select(own)}) page) AS bytes
                      FROM messages m WHERE ${VISIBLE} AND ${own('m.vendor_code')}`,
        );
        return { total, bytes, rows: bytes > most ? null : await read<MessageEntity>('messages', values, select) };
      });
    let found = await page(SMALL_PAGE_BYTES);
    if (!found.rows) {
      await context.reserve(EXPANSION * found.bytes);
      found = await page(Infinity);
    }
    return ok((found.rows ?? []).map(messageOf), { 'x-total-count': String(found.total) });
  }

  async message({ poRef, messageId }: MessageQuery, { actor }: RpcContext): Promise<Reply<Message>> {
    return this.inOrder(poRef, actor, async (read, orderId) => {
      const [row] = await read<MessageEntity>(
        'message',
        [orderId, visibleTo(actor.role), messageId],
        (own) => `SELECT ${COLUMNS} FROM messages m WHERE ${VISIBLE} AND m.id = $3 AND ${own('m.vendor_code')}`,
      );
      if (!row) throw new ProblemError('MESSAGE_NOT_FOUND');
      return ok(messageOf(row));
    });
  }

  async participants({ poRef, q, limit }: ParticipantsQuery, { actor }: RpcContext): Promise<Reply<Participant[]>> {
    return this.inOrder(poRef, actor, async (read) =>
      ok(await listParticipants(read, poRef, participantsFor(actor.role), { q, limit })),
    );
  }

  /** Runs reads on one snapshot. Throws PO_NOT_FOUND unless the caller may see the order. */
  private async inOrder<T>(
    poRef: string,
    actor: RpcContext['actor'],
    run: (read: Read, orderId: number) => Promise<T>,
  ): Promise<T> {
    return this.databases.accessOf(actor).readAll(async (read) => {
      const [order] = await read<{ id: number }>(
        'order-id',
        [poRef],
        (own) => `SELECT o.id FROM purchase_orders o WHERE o.po_number = $1 AND ${own('o.vendor_code')}`,
      );
      if (!order) throw new ProblemError('PO_NOT_FOUND');
      return run(read, order.id);
    });
  }
}
