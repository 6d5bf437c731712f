/** A response of the gateway. `body` is undefined if it is empty or not JSON; `text` is the raw body. */
export interface Answer<T> {
  status: number;
  headers: Headers;
  body: T;
  text: string;
  bytes: Buffer;
}

type Call = <T = unknown>(path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer<T>>;

/** HTTP methods of one caller; paths are relative to `/api`. Strings and bytes are sent unchanged, other bodies as JSON. */
export interface Api {
  get: Call;
  head: Call;
  post: Call;
  patch: Call;
  put: Call;
  delete: Call;
}

/** Creates a client with an optional token. Resolves for every status; rejects if the gateway does not answer. */
export function apiClient(gatewayUrl: string, token?: string): Api {
  const call =
    (method: string): Call =>
    async <T>(path: string, body?: unknown, headers: Record<string, string> = {}) => {
      const raw = typeof body === 'string' || body instanceof Uint8Array;
      const response = await fetch(`${gatewayUrl}/api${path}`, {
        method,
        headers: {
          ...(token === undefined ? {} : { 'x-user-token': token }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        body: body === undefined ? undefined : raw ? (body as BodyInit) : JSON.stringify(body),
      });
      const bytes = Buffer.from(await response.arrayBuffer());
      const text = bytes.toString('utf8');
      const json = /json/.test(response.headers.get('content-type') ?? '') && text !== '';
      return {
        status: response.status,
        headers: response.headers,
        text,
        bytes,
        body: (json ? JSON.parse(text) : undefined) as T,
      };
    };
  return {
    get: call('GET'),
    head: call('HEAD'),
    post: call('POST'),
    patch: call('PATCH'),
    put: call('PUT'),
    delete: call('DELETE'),
  };
}
