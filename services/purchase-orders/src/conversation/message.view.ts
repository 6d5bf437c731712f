import { EVENT_TYPES, type Message, type MessagePosted, TOPICS } from '@po/contracts';
import { type OutboxEntry, cloudEventHeaders } from '@po/messaging';
import type { MessageEntity } from '../store/message.entity.js';
import type { StoredOrder } from '../store/stored-order.js';

/** A message belongs to no version of the order. */
const NO_VERSION = 0;

export const messageOf = ({
  id,
  poNumber,
  body,
  visibility,
  rows,
  mentions,
  authorId,
  authorName,
  authorRole,
  createdAt,
}: MessageEntity): Message => ({
  id,
  poRef: poNumber,
  body,
  visibility,
  rows,
  mentions,
  authorId,
  authorName,
  authorRole,
  createdAt: createdAt.toISOString(),
});

/** Outbox entry that publishes a message. */
export function messageEntryOf(row: MessageEntity, order: StoredOrder, traceparent: string): OutboxEntry {
  const { poNumber, vendorCode, vendorName, statusId, terms } = order;
  const message = messageOf(row);
  const posted: MessagePosted = {
    ...message,
    poNumber,
    vendorCode,
    vendor: vendorName,
    buyerEmail: terms.buyerEmail,
    statusId,
  };
  const headers = cloudEventHeaders({
    id: message.id,
    type: EVENT_TYPES.messagePosted,
    source: '/purchase-orders',
    subject: poNumber,
    time: message.createdAt,
  });
  const messages = [{ topic: TOPICS.messages, headers, value: JSON.stringify(posted) }];
  return { key: poNumber, version: NO_VERSION, messages, traceparent };
}
