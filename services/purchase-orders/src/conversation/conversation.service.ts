import { posix } from 'node:path';
import { Injectable } from '@nestjs/common';
import { type Message, type PostMessage, ProblemError } from '@po/contracts';
import { type Send, type Statement, rowParameters } from '@po/database';
import {
  OUTBOX_PARAMETERS,
  OutboxRelay,
  type Reply,
  type RpcContext,
  created,
  insertOutboxEntry,
  outboxValues,
} from '@po/messaging';
import { decideMessage, participantsFor } from '../domain/conversation.js';
import { executeCommand, idempotencyKeyOf } from '../idempotency/command-log.js';
import { Databases } from '../store/databases.js';
import { MessageEntity } from '../store/message.entity.js';
import { uuidV7 } from '../store/uuid-v7.js';
import { messageEntryOf, messageOf } from './message.view.js';
import { findParticipants } from './participants.js';

// Read after the order is locked, and updated by each message.
const LAST_MESSAGE: Statement = {
  name: 'last-message',
  text: `SELECT last_message_at AS "lastMessageAt" FROM purchase_orders WHERE po_number = $1`,
};
const MESSAGE = rowParameters(MessageEntity, 1 + OUTBOX_PARAMETERS);
const SAVE: Statement = {
  name: 'save-message',
  text: `WITH message AS (
    INSERT INTO messages (${MESSAGE.columns.join(', ')}) VALUES (${MESSAGE.parameters.join(', ')}) RETURNING id, order_id, created_at
  ), purchase_order AS (
    UPDATE purchase_orders o SET last_message_at = message.created_at FROM message WHERE o.id = message.order_id
  ) ${insertOutboxEntry(1, 'message')}`,
};

const UNKNOWN = 'USER_NOT_FOUND';
/** Short, because the order's other writes wait too. */
const FIRST_SEEN_TIMEOUT_MS = 300;

/** Posts messages, each in one transaction: reserve the key, load, decide, save. The order keeps its version. */
@Injectable()
export class ConversationService {
  constructor(
    private readonly databases: Databases,
    private readonly relay: OutboxRelay,
  ) {}

  /** Waits for the announcement of a mentioned user who called for the first time a moment ago. */
  async post(message: PostMessage, context: RpcContext): Promise<Reply<Message>> {
    const limits = { forMs: FIRST_SEEN_TIMEOUT_MS, deadline: context.deadline };
    const isKnown = ({ code }: ProblemError) => code !== UNKNOWN;
    const reply = await this.databases.untilUserKnown
      .retry(UNKNOWN, limits, () => this.attempt(message, context, isKnown))
      .catch((error: unknown) => {
        // Only now it is final, because each attempt would find a stored refusal.
        if (error instanceof ProblemError && !isKnown(error)) return this.attempt(message, context);
        throw error;
      });
    this.relay.wake();
    return reply;
  }

  /** Posts in one transaction. */
  private async attempt(
    { poRef, request }: PostMessage,
    context: RpcContext,
    isFinal?: (refusal: ProblemError) => boolean,
  ): Promise<Reply<Message>> {
    const { actor, traceparent, path } = context;
    const access = this.databases.accessOf(actor);
    const key = idempotencyKeyOf(context, poRef, request);
    const sides = participantsFor(actor.role, request.visibility);
    const read = (send: Send) =>
      Promise.all([
        this.databases.orders.lock(send, poRef, access.vendorCode),
        request.mentions.length > 0 ? findParticipants(access.reading(send), poRef, sides, request.mentions) : [],
        send<{ lastMessageAt: Date | null }>(LAST_MESSAGE, [poRef]),
      ]);
    const { reply } = await executeCommand(
      access,
      key,
      read,
      (send, [visible, mentionable, last]) => {
        const { order, ...content } = decideMessage(visible, request, { role: actor.role, mentionable });
        // A later message gets a higher id even if the clocks of replicas differ.
        const createdAt = new Date(Math.max(Date.now(), (last[0]?.lastMessageAt?.getTime() ?? 0) + 1));
        const row: MessageEntity = {
          id: uuidV7(createdAt),
          orderId: order.id,
          poNumber: order.poNumber,
          vendorCode: order.vendorCode,
          visibility: request.visibility,
          body: request.body,
          ...content,
          authorId: actor.sub,
          authorName: actor.name,
          authorRole: actor.role,
          createdAt,
        };
        // The path contains the PO number as the client wrote it, but the location uses the stored one.
        const location = posix.join(path, '../..', order.poNumber, 'messages', row.id);
        const entry = messageEntryOf(row, order, traceparent);
        void send(SAVE, [...outboxValues(entry), ...MESSAGE.values(row)]);
        return { reply: created(location, messageOf(row)) };
      },
      isFinal,
    );
    return reply;
  }
}
