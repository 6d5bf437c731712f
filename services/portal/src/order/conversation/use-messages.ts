import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { messageQuery, messagesQuery } from '../../api/conversation.js';
import { useApi } from '../../api/api.js';
import { messageOfAnchor } from '../../components/order/history-anchor.js';

/** The messages of an order, as far as they are loaded; so far at least that the one that `anchor` leads to is among them. */
export function useMessages(poRef: string, anchor: string) {
  const { client } = useApi();
  const query = useInfiniteQuery(messagesQuery(client, poRef));
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = query;
  const messages = data?.pages.flat() ?? [];
  const wanted = messageOfAnchor(anchor);
  const isMissing = data !== undefined && wanted !== null && messages.every(({ id }) => id !== wanted);
  // Whether there is one at all: else all of a long conversation would be loaded in vain.
  const looked = useQuery({ ...messageQuery(client, poRef, wanted ?? ''), enabled: isMissing });
  const isOlder = isMissing && hasNextPage && looked.isSuccess;
  useEffect(() => {
    if (isOlder && !isFetching && !isError) void fetchNextPage();
  }, [isOlder, isFetching, isError, fetchNextPage]);
  return { query, messages, hasOlder: hasNextPage, isUnknown: isMissing && looked.isError };
}
