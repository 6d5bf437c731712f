import { newKey } from '@po/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useApi } from '../../api/api.js';
import { KEYS } from '../../api/keys.js';
import { isRefused } from '../../api/refusals.js';
import { type MessageDraft, afterPost, withAttempt, requestOf } from './message-draft.js';

type Change = (change: (now: MessageDraft) => MessageDraft) => void;

/** Posts the draft. Its idempotency key is stored until an answer comes, even across a reload, so that a retry posts no duplicate. */
export function usePosting(poRef: string, change: Change, done: () => void) {
  const { client } = useApi();
  const cache = useQueryClient();
  const { mutate, ...posting } = useMutation({
    mutationFn: ({ key, sent }: NonNullable<MessageDraft['attempt']> & { draft: MessageDraft }) =>
      client.POST('/purchase-orders/{poRef}/messages', {
        params: { path: { poRef } },
        headers: { 'Idempotency-Key': key },
        body: JSON.parse(sent) as ReturnType<typeof requestOf>,
      }),
    onSuccess: (_message, { key, draft }) => {
      // A read under way would overwrite a message that is added to the cache, and must end to show the older messages that it loads.
      const queryKey = KEYS.messages(poRef);
      const read = Promise.resolve(cache.getQueryCache().find({ queryKey })?.promise).catch(() => undefined);
      void read.then(() => cache.invalidateQueries({ queryKey }));
      change((now) => (now.attempt?.key === key ? afterPost(now, draft) : now));
      done();
    },
    onError: (error, { key }) => {
      if (isRefused(error)) change((now) => (now.attempt?.key === key ? { ...now, attempt: null } : now));
    },
  });
  return {
    ...posting,
    post: (draft: MessageDraft, isThere: (rowHash: string) => boolean) => {
      const next = withAttempt(draft, requestOf(draft, isThere), newKey);
      change((now) => ({ ...now, attempt: next.attempt }));
      if (next.attempt) mutate({ ...next.attempt, draft });
    },
  };
}
