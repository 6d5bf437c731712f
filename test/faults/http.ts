import { ApiProblem, createClient } from '@po/client';

/** A response of the API as its client sees it. */
export interface Answer {
  status: number;
  headers: Headers;
  /** Parsed JSON, or the text of a file; an empty object for an empty body. */
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
  /** Path after `/api`. */
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** Longer than any deadline of the gateway, so no answer can come later. */
const TIMEOUT_MS = 20_000;

/** Calls one gateway. Returns the answer, or the error of the connection. */
export async function exchange(gatewayUrl: string, token: string, call: Call): Promise<Answer | Error> {
  try {
    const response = await fetch(`${gatewayUrl}/api${call.path}`, {
      method: call.method,
      headers: { 'x-user-token': token, 'content-type': 'application/json', ...call.headers },
      body: call.body === undefined ? undefined : JSON.stringify(call.body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const { status, headers } = response;
    const text = await response.text();
    // A file is read to its end, but not parsed.
    const isFile = status === 200 && !headers.get('content-type')?.startsWith('application/json');
    const body: unknown = text === '' ? {} : isFile ? text : JSON.parse(text);
    return { status, headers, body };
  } catch (error) {
    return unanswered(error as Error);
  }
}

/** Like `exchange` with the typed client, which retries failed connections with the same key, and when the API asks for a retry. */
export async function exchangeWithRetries(gatewayUrl: string, token: string, call: Call): Promise<Answer | Error> {
  const fetch = (request: Request) => globalThis.fetch(request, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  const client = createClient({ baseUrl: `${gatewayUrl}/api`, token, ifMatch: false, fetch });
  const { method, path, body, headers } = call;
  try {
    // The path already contains parameter values, so it is not one of the paths in the client's types.
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
