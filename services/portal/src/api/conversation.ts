import type { PurchaseOrderClient, components } from '@po/client';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { KEYS } from './keys.js';
import { olderPages, read } from './read.js';

export type MessageRequest = components['schemas']['MessageRequest'];

const MESSAGES_PER_PAGE = 50;
const SUGGESTIONS = 8;
/** Participants hardly change while the user types. */
const FRESH_MS = 60_000;

// Separate from the other queries and writes, which are in the first load: only the page of an order needs these.

/** The messages of an order, newest first, by page. */
export const messagesQuery = (client: PurchaseOrderClient, poRef: string) =>
  infiniteQueryOptions({
    queryKey: KEYS.messages(poRef),
    queryFn: async ({ signal, pageParam }) => {
      const query = { limit: MESSAGES_PER_PAGE, ...pageParam };
      return (await client.GET('/purchase-orders/{poRef}/messages', { params: { path: { poRef }, query }, signal }))
        .data;
    },
    ...olderPages(MESSAGES_PER_PAGE),
  });

/** Rejects with 404 if the message does not exist or the user may not see it. */
export const messageQuery = (client: PurchaseOrderClient, poRef: string, messageId: string) =>
  read(KEYS.message(poRef, messageId), (signal) =>
    client.GET('/purchase-orders/{poRef}/messages/{messageId}', { params: { path: { poRef, messageId } }, signal }),
  );

/** Users who can be mentioned and whose names contain `q`. */
export const participantsQuery = (client: PurchaseOrderClient, poRef: string, q: string) => {
  const query = { limit: SUGGESTIONS, ...(q !== '' && { q }) };
  return read(
    KEYS.participants(poRef, q),
    (signal) => client.GET('/purchase-orders/{poRef}/participants', { params: { path: { poRef }, query }, signal }),
    FRESH_MS,
  );
};
