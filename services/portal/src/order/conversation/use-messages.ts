import { ApiProblem } from '@po/client';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { messageQuery, messagesQuery } from '../../api/conversation.js';
import { useApi } from '../../api/api.js';
import { anchorOf, messageOfAnchor } from '../../components/order/history-anchor.js';
import type { HistoryEntry } from '../timeline/entries.js';

/**
 * The loaded messages of an order. Older pages are loaded until the message that `anchor` leads to is included, or until the change that it
 * leads to is not older than all loaded messages.
 */
export function useMessages(poRef: string, anchor: string, changes: readonly HistoryEntry[]) {
  const { client } = useApi();
  const query = useInfiniteQuery(messagesQuery(client, poRef));
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = query;
  const messages = data?.pages.flat() ?? [];
  const wanted = messageOfAnchor(anchor);
  const isMissing = data !== undefined && wanted !== null && messages.every(({ id }) => id !== wanted);
  // Checks first that the message exists; otherwise a wrong link would load all of a long conversation.
  const looked = useQuery({ ...messageQuery(client, poRef, wanted ?? ''), enabled: isMissing });
  const oldest = Date.parse(messages.at(-1)?.createdAt ?? '');
  const isHidden = changes.some(({ id, occurredAt }) => anchorOf(id) === anchor && Date.parse(occurredAt) < oldest);
  const isOlder = hasNextPage && (isHidden || (isMissing && looked.isSuccess));
  useEffect(() => {
    if (isOlder && !isFetching && !isError) void fetchNextPage();
  }, [isOlder, isFetching, isError, fetchNextPage]);
  const isUnknown = isMissing && looked.error instanceof ApiProblem && looked.error.status === 404;
  return {
    query,
    messages,
    hasOlder: hasNextPage,
    isUnknown,
    failed: isMissing && looked.isError && !isUnknown && looked,
  };
}
