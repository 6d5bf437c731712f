import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../api/api.js';
import { KEYS } from '../api/keys.js';
import { type Inbox, withRead } from './inbox.js';

/** Marks a notification as read, or `all`; it is seen at once, here and by the live stream in every other tab. */
export function useMarkRead() {
  const { writes } = useApi();
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => (id === 'all' ? writes.markAllRead() : writes.markRead(id)),
    onMutate: async (id) => {
      await cache.cancelQueries({ queryKey: KEYS.allNotifications });
      const unread = cache.getQueryData<number>(KEYS.unread) ?? 0;
      cache.setQueryData(KEYS.unread, id === 'all' ? 0 : Math.max(0, unread - 1));
      const readAt = new Date().toISOString();
      cache.setQueriesData<Inbox>({ queryKey: KEYS.allNotifications }, (inbox) => inbox && withRead(inbox, id, readAt));
    },
    onError: () => void cache.invalidateQueries({ queryKey: KEYS.unread }),
    onSettled: () => void cache.invalidateQueries({ queryKey: KEYS.allNotifications }),
  });
}
