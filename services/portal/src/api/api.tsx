import { createSafeContext } from '@mantine/core';
import { type ClientOptions, createClient } from '@po/client';
import { queriesOf } from './queries.js';
import { type TokenSource, withTokenRenewal } from './token-renewal.js';
import { writesOf } from './writes.js';

/** Somebody is looking: what takes longer than this to come back is shown as a problem that can be tried again. */
const RETRY = { attempts: 3, longestWaitS: 2 };

type Session = TokenSource & Required<Pick<ClientOptions, 'retryToken'>>;

/** `language` is asked before each request, for the messages of problems and the labels of files. */
export function openApi(session: Session, language: () => string) {
  const send = withTokenRenewal(session, (request) => {
    request.headers.set('Accept-Language', language());
    return fetch(request);
  });
  const client = createClient({ baseUrl: '/api', ...session, retry: RETRY, fetch: send });
  return { client, queries: queriesOf(client), writes: writesOf(client) };
}

export const [ApiContext, useApi] = createSafeContext<ReturnType<typeof openApi>>('no ApiContext above');
