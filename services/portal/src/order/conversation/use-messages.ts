import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { messageQuery, messagesQuery } from '../../api/conversation.js';
import { useApi } from '../../api/api.js';
import { messageOfAnchor } from '../../components/order/history-anchor.js';

/** The loaded messages of an order. Older pages are loaded until the message that `anchor` leads to is included. */
export function useMessages(poRef: string, anchor: string) {
  const { client } = useApi();
  const query = useInfiniteQuery(messagesQuery(client, poRef));
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = query;
  const messages = data?.pages.flat() ?? [];
  const wanted = messageOfAnchor(anchor);
  const isMissing = data !== undefined && wanted !== null && messages.every(({ id }) => id !== wanted);
  // Checks first that the message exists; otherwise a wrong link would load all of a long conversation.
  const looked = useQuery({ ...messageQuery(client, poRef, wanted ?? ''), enabled: isMissing });
  const isOlder = isMissing && hasNextPage && looked.isSuccess;
  useEffect(() => {
    if (isOlder && !isFetching && !isError) void fetchNextPage();
  }, [isOlder, isFetching, isError, fetchNextPage]);
  return { query, messages, hasOlder: hasNextPage, isUnknown: isMissing && looked.isError };
}
