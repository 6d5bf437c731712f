import { ApiProblem, createClient } from '@po/client';

/** What a client of the API sees of one call. */
export interface Answer {
  status: number;
  headers: Headers;
  /** Parsed JSON; an empty object where there is none. */
  body: unknown;
}

/** The members of a problem document that these tests read. */
export interface Problem {
  code?: string;
  currentStatusId?: number;
  idempotencyKey?: string;
}

export interface Call {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT';
  /** Behind `/api`. */
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** Longer than any deadline of the gateway: no answer by then is an answer that never comes. */
const PATIENCE_MS = 20_000;

/** The answer of one gateway, or the error that came instead of it. */
export async function exchange(gatewayUrl: string, token: string, call: Call): Promise<Answer | Error> {
  try {
    const response = await fetch(`${gatewayUrl}/api${call.path}`, {
      method: call.method,
      headers: { 'x-user-token': token, 'content-type': 'application/json', ...call.headers },
      body: call.body === undefined ? undefined : JSON.stringify(call.body),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const { status, headers } = response;
    const text = await response.text();
    // A file is read to its end, and is what it is.
    const isFile = status === 200 && !headers.get('content-type')?.startsWith('application/json');
    const body: unknown = text === '' ? {} : isFile ? text : JSON.parse(text);
    return { status, headers, body };
  } catch (error) {
    return unanswered(error as Error);
  }
}

/** The same by the typed client, which sends again what failed on the way: with the same key, and when the API asks for it. */
export async function exchangePatiently(gatewayUrl: string, token: string, call: Call): Promise<Answer | Error> {
  const fetch = (request: Request) => globalThis.fetch(request, { signal: AbortSignal.timeout(PATIENCE_MS) });
  const client = createClient({ baseUrl: `${gatewayUrl}/api`, token, ifMatch: false, fetch });
  const { method, path, body, headers } = call;
  try {
    // The path has its parameters' values in it already: it is none of those in the client's types.
    const send = client[method] as (path: string, init: object) => Promise<{ data?: unknown; response: Response }>;
    const { data, response } = await send(path, { body, headers });
    return { status: response.status, headers: response.headers, body: data ?? {} };
  } catch (error) {
    if (!(error instanceof ApiProblem)) return unanswered(error as Error);
    return { status: error.status, headers: error.response.headers, body: error.document ?? {} };
  }
}

const unanswered = ({ message, cause }: Error): Error =>
  new Error(cause instanceof Error ? `${message}: ${cause.message}` : message);
