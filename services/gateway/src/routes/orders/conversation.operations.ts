import { MessageRequest, MessagesParameters, PATTERNS, ParticipantsParameters } from '@po/contracts';
import { z } from 'zod';
import type { PathParameter } from '../../http/parameters.js';
import { proxied } from '../operation.js';
import { poRef } from './purchase-orders.operations.js';

const messageId: PathParameter = {
  schema: z.uuid().describe('The id of a message.'),
  refusal: 'MESSAGE_NOT_FOUND',
};

export const conversation = {
  listMessages: proxied({
    tag: 'Purchase orders',
    summary: "The order's messages that the caller may see, newest first.",
    description: 'A vendor sees only messages with visibility `all`. `before` selects older ones.',
    headers: ['x-total-count'],
    method: 'GET',
    path: '/purchase-orders/:poRef/messages',
    params: { poRef },
    query: MessagesParameters,
    pattern: PATTERNS.messages,
    payload: ({ params, query }) => ({ ...params, ...query }),
  }),

  postMessage: proxied({
    tag: 'Purchase orders',
    summary: 'Writes a message about the order.',
    description:
      'In every status, for every role except VIEWER; a vendor may write only with visibility `all`. The version of the order stays the same. ' +
      'The other side, earlier authors and mentioned users are notified if they may see the message. Messages are never changed or deleted.',
    method: 'POST',
    path: '/purchase-orders/:poRef/messages',
    params: { poRef },
    body: MessageRequest,
    conditions: 'key',
    refusals: ['ROW_NOT_FOUND', 'USER_NOT_FOUND'],
    statuses: [201],
    pattern: PATTERNS.postMessage,
    orderedBy: 'poRef',
    payload: ({ params, body }) => ({ ...params, request: body }),
  }),

  getMessage: proxied({
    tag: 'Purchase orders',
    summary: 'One message of the order.',
    description: 'A vendor gets 404 for an internal message.',
    method: 'GET',
    path: '/purchase-orders/:poRef/messages/:messageId',
    params: { poRef, messageId },
    pattern: PATTERNS.message,
    payload: ({ params }) => params,
  }),

  listParticipants: proxied({
    tag: 'Purchase orders',
    summary: 'Users who may be mentioned in a message about the order.',
    description:
      "Known users of the caller's own side (the internal roles, or the same vendor), and users of the other side who acted on this order or " +
      'wrote a message that the caller may see. Sorted by name.',
    method: 'GET',
    path: '/purchase-orders/:poRef/participants',
    params: { poRef },
    query: ParticipantsParameters,
    pattern: PATTERNS.participants,
    payload: ({ params, query }) => ({ ...params, ...query }),
  }),
};
