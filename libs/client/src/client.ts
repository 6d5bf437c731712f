import createFetchClient, { type FetchResponse, type MaybeOptionalInit, type Middleware } from 'openapi-fetch';
import type { HttpMethod, MediaType, PathsWithMethod, RequiredKeysOf } from 'openapi-typescript-helpers';
import type { components, paths } from './api.js';
import { EntityTags } from './entity-tags.js';
import { ApiProblem } from './problem.js';
import { type RetryOptions, fetchWithRetries } from './retry.js';
import { type StreamEvent, type StreamOptions, streamEvents } from './stream.js';

export interface ClientOptions {
  /** Base URL of the API including `/api`: `https://orders.example.com/api`, or `/api` in a browser page of the same origin. */
  baseUrl: string;
  /** The user's token, or a function that returns the current one. Called before each attempt. */
  token: string | (() => string | Promise<string>);
  /** Whether the stream calls `token` again after it failed with this error. Without it, every error ends the stream. */
  retryToken?: (error: unknown) => boolean;
  /** Language of messages: `en`, `zh`, or a complete Accept-Language value. */
  language?: string;
  retry?: RetryOptions;
  /** If false, writes are not conditional on the last version that this client saw. */
  ifMatch?: boolean;
  /** Replaces the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
}

const BATCH = '/purchase-orders/transitions';

type Init<I> = RequiredKeysOf<I> extends never ? [I?] : [I];
type Good<Answer> = Extract<Answer, { data: unknown }>;
/** The API document types files as strings. A downloaded file needs an explicit `parseAs`, an uploaded one its content type. */
type WithFile<P, I> = P extends '/purchase-order-exports'
  ? I & { parseAs: 'blob' | 'stream' | 'arrayBuffer' | 'text' }
  : P extends '/purchase-orders/{poRef}/line-items/import'
    ? Omit<I, 'body' | 'headers'> & { body: Blob; headers: { 'Content-Type': string; [name: string]: string } }
    : I;
type Call<Method extends HttpMethod> = <
  Path extends PathsWithMethod<paths, Method>,
  I extends WithFile<Path, MaybeOptionalInit<paths[Path], Method>>,
>(
  path: Path,
  ...init: Init<I>
) => Promise<Good<FetchResponse<NonNullable<paths[Path][Method & keyof paths[Path]]>, I, MediaType>>>;

/** Calls by method and documented path. Each resolves only on success and otherwise throws ApiProblem. */
export interface PurchaseOrderClient {
  GET: Call<'get'>;
  PATCH: Call<'patch'>;
  POST: Call<'post'>;
  PUT: Call<'put'>;
  DELETE: Call<'delete'>;
  /** The live stream; ends when the signal is aborted. See `streamEvents`. */
  stream(options?: StreamOptions): AsyncGenerator<StreamEvent, void>;
}

/** Creates a client of the API for one user, in browsers and in Node. */
export function createClient(options: ClientOptions): PurchaseOrderClient {
  const { baseUrl, retry, retryToken, fetch = (request: Request) => globalThis.fetch(request) } = options;
  const transport = { headers: () => headersOf(options), fetch, retryToken };
  const send = (request: Request) => fetchWithRetries(request, transport, retry);
  // The API document requires comma-separated lists in the query.
  const querySerializer = { array: { style: 'form', explode: false } } as const;
  const bodySerializer = (body: unknown) => (body instanceof Blob ? body : JSON.stringify(body));
  // A browser's cache tells versions of an order apart, but not users, whose `availableActions` differ. After a 304 it would also return
  // values that change without a new version, such as `nextDue`, as they were.
  const cache = 'no-store';
  const client = createFetchClient<paths>({ baseUrl, fetch: send, cache, querySerializer, bodySerializer });
  client.use(conventionsOf(options));
  return {
    ...(client as unknown as Omit<PurchaseOrderClient, 'stream'>),
    stream: (streamOptions = {}) =>
      streamEvents(
        { url: `${baseUrl.replace(/\/$/, '')}/notifications/stream?client=${newUuid()}`, ...transport },
        streamOptions,
      ),
  };
}

async function headersOf({ token, language }: ClientOptions): Promise<Record<string, string>> {
  return {
    'X-User-Token': typeof token === 'string' ? token : await token(),
    ...(language === undefined ? {} : { 'Accept-Language': language }),
  };
}

// randomUUID is unavailable in pages that were not loaded over TLS.
/** A unique `Idempotency-Key`. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

const newUuid = (): string => newKey().replace(/^(.{8})(.{4}).(.{3}).(.{3})/, '$1-$2-4$3-8$4-');

/** Adds the headers that every request of the API should have. Headers set by the caller stay. */
function conventionsOf(options: ClientOptions): Middleware {
  const tags = new EntityTags();
  const before = new WeakMap<Request, number>();
  return {
    onRequest({ request, schemaPath, params }) {
      const set = (name: string, value: string) => {
        if (!request.headers.has(name)) request.headers.set(name, value);
      };
      const known = tags.of(schemaPath, params.path?.poRef);
      if (request.method === 'GET') {
        if (known !== undefined) before.set(request, known);
        return;
      }
      set('Idempotency-Key', newKey());
      if (options.ifMatch !== false && known !== undefined) set('If-Match', `"${known}"`);
    },
    async onResponse({ request, response, schemaPath, params }) {
      if (!response.ok) throw await ApiProblem.of(response);
      tags.record(schemaPath, params.path?.poRef, response, before.get(request));
      if (schemaPath !== BATCH) return;
      const { results } = (await response.clone().json()) as components['schemas']['TransitionsResult'];
      for (const { poRef, version } of results) if (version !== null) tags.take(poRef, version);
    },
  };
}
