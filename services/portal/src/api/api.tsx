import { createSafeContext } from '@mantine/core';
import { type ClientOptions, createClient } from '@po/client';
import { useQuery } from '@tanstack/react-query';
import { queriesOf } from './queries.js';
import { type TokenSource, withTokenRenewal } from './token-renewal.js';
import { writesOf } from './writes.js';

/** A user is waiting: if an answer takes longer than this, the portal shows an error with a retry button. */
const RETRY = { attempts: 3, maxWaitS: 2 };

type Session = TokenSource & Required<Pick<ClientOptions, 'retryToken'>>;

/** Calls `language` before each request, to localize error messages and the labels in exported files. */
export function openApi(session: Session, language: () => string) {
  const send = withTokenRenewal(session, (request) => {
    request.headers.set('Accept-Language', language());
    return fetch(request);
  });
  const client = createClient({ baseUrl: '/api', ...session, retry: RETRY, fetch: send });
  return { client, queries: queriesOf(client), writes: writesOf(client) };
}

export const [ApiContext, useApi] = createSafeContext<ReturnType<typeof openApi>>('no ApiContext above');

/** The signed-in user as the API reports it; undefined until loaded. */
export const useMe = () => useQuery(useApi().queries.me()).data;

/** Undefined until loaded. */
export const useRole = () => useMe()?.role;
