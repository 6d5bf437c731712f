import { setTimeout as delay } from 'node:timers/promises';
import { type ClientOptions, type PurchaseOrderClient, createClient, retryAfterOf } from '@po/client';
import { type Api, apiClient as unchecked } from '../../deploy/local/api-client.js';
import { expectConformity } from '../api/conformity.js';

export type { Answer, Api } from '../../deploy/local/api-client.js';

const ATTEMPTS = 5;

/**
 * Repeats a request until the API is available, at most 5 times, because a busy machine must not fail a test. Retries 503 (nothing was
 * done) and 504 (unknown outcome) after Retry-After, a write under its idempotency key.
 */
export async function untilAvailable<T extends { status: number; headers: Headers; body?: unknown }>(
  given: Record<string, string>,
  send: (headers: Record<string, string>) => Promise<T>,
): Promise<T> {
  let headers = given;
  for (let attempt = 1; ; attempt += 1) {
    const answer = await send(headers);
    if ((answer.status !== 503 && answer.status !== 504) || attempt === ATTEMPTS) return answer;
    const { idempotencyKey } = (answer.body ?? {}) as { idempotencyKey?: string };
    if (idempotencyKey !== undefined) headers = { ...headers, 'idempotency-key': idempotencyKey };
    await delay((retryAfterOf(answer) ?? 1) * 1000);
  }
}

/** Client with this token, or without one. Checks that every answer is declared by its operation or is a problem document. */
export function apiClient(gatewayUrl: string, token?: string): Api {
  const api = unchecked(gatewayUrl, token);
  const checked =
    (method: keyof Api): Api[keyof Api] =>
    <T>(path: string, body?: unknown, given: Record<string, string> = {}) => {
      const send = async (headers: Record<string, string>) => {
        const answer = await api[method]<T>(path, body, headers);
        expectConformity(method.toUpperCase(), path, answer);
        return answer;
      };
      return untilAvailable(given, send);
    };
  const methods = Object.keys(api) as (keyof Api)[];
  return Object.fromEntries(methods.map((method) => [method, checked(method)])) as Record<keyof Api, Api[keyof Api]>;
}

/** The typed client of API users. Also checks that every answer is declared by its operation. */
export function typedClient(options: Omit<ClientOptions, 'fetch'>): PurchaseOrderClient {
  const root = new URL(options.baseUrl).pathname;
  const fetch = async (request: Request) => {
    const response = await globalThis.fetch(request);
    const { pathname, search } = new URL(request.url);
    const { status, headers } = response;
    // Does not wait for the end of a stream, which comes only when its reader stops.
    const isJson = /json/.test(headers.get('content-type') ?? '');
    const text = isJson ? await response.clone().text() : '';
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    expectConformity(request.method, `${pathname.slice(root.length)}${search}`, { status, headers, body, text });
    return response;
  };
  return createClient({ ...options, fetch });
}
