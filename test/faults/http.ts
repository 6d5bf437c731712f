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
    const { message, cause } = error as Error;
    return new Error(cause instanceof Error ? `${message}: ${cause.message}` : message);
  }
}
