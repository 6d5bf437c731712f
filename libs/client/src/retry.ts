import { ApiProblem, retryAfterOf } from './problem.js';

export interface Transport {
  /** Headers of the user, requested before each attempt because a token may expire in between. */
  headers: () => Promise<Record<string, string>>;
  fetch: (request: Request) => Promise<Response>;
}

export interface RetryOptions {
  /** Maximum number of attempts; 1 means no retries. */
  attempts?: number;
  /** Maximum Retry-After to wait for, in seconds; with a longer one, the error response is returned. */
  maxWaitS?: number;
}

const FIRST_PAUSE_MS = 250;
const LAST_PAUSE_MS = 5_000;

/** Statuses after which nothing was done, or the outcome is unknown. */
const TRANSIENT = [429, 502, 503, 504];

/** Keeps Request objects reachable: Node aborts a request only while its Request, and the one whose signal it follows, are reachable. */
const keptBy = new WeakMap<object, Request>();

/** Keeps the request reachable until the response body was read. */
export async function fetchAbortable(
  request: Request,
  fetch: (request: Request) => Promise<Response>,
): Promise<Response> {
  const response = await fetch(request);
  if (response.body) keptBy.set(response.body, request);
  return response;
}

/** Receives the whole response of a write, so that a connection that breaks within it fails the attempt. */
async function fetchAttempt(request: Request, fetch: Transport['fetch']): Promise<Response> {
  const response = await fetchAbortable(request, fetch);
  if (request.method !== 'GET') await response.clone().arrayBuffer();
  return response;
}

/**
 * Retries a request after a connection error or a retriable status, after Retry-After or an exponential pause with jitter. All attempts
 * have a single effect: writes have an idempotency key. Does not retry an aborted request. If a retried DELETE is not found, an earlier
 * attempt has deleted the resource: returns 204.
 */
export async function fetchWithRetries(
  request: Request,
  { headers, fetch }: Transport,
  { attempts = 4, maxWaitS = 30 }: RetryOptions = {},
): Promise<Response> {
  let mayBeDone = false;
  for (let attempt = 1; ; attempt += 1) {
    const last = attempt >= attempts;
    const ofUser = await headers();
    // A body can be read only once, so all attempts but the last send a copy. Node loses the signal of a plain clone.
    const sent = last ? request : new Request(request.clone(), { signal: request.signal });
    keptBy.set(sent, request);
    for (const [name, value] of Object.entries(ofUser)) if (!sent.headers.has(name)) sent.headers.set(name, value);
    const outcome = await fetchAttempt(sent, fetch).catch((error: unknown) => ({ error }));
    if (mayBeDone && (await isNotFound(outcome))) return new Response(null, { status: 204 });
    const pauseMs = last || request.signal.aborted ? null : waitOf(outcome, attempt, maxWaitS);
    if (pauseMs === null) {
      if ('error' in outcome) throw outcome.error;
      return outcome;
    }
    mayBeDone ||= request.method === 'DELETE' && !isUndone(outcome);
    if (outcome instanceof Response) await outcome.body?.cancel();
    await pause(pauseMs, request.signal);
  }
}

type Outcome = Response | { error: unknown };

/** Whether the request was certainly not executed. A 503 with Retry-After is from the API, which has done nothing in that case. */
const isUndone = (outcome: Outcome): boolean =>
  outcome instanceof Response && retryAfterOf(outcome) !== null && [429, 503].includes(outcome.status);

/** Whether the API itself, not an intermediary, responded with 404. */
const isNotFound = async (outcome: Outcome): Promise<boolean> =>
  outcome instanceof Response && outcome.status === 404 && (await ApiProblem.of(outcome.clone())).document !== null;

/** Milliseconds until the next attempt; null if there should be none. */
function waitOf(outcome: Outcome, attempt: number, maxWaitS: number): number | null {
  if ('error' in outcome) return backOffMs(attempt);
  const retryAfterS = retryAfterOf(outcome);
  // The only 409 with Retry-After is for a request that is still running under this key.
  const statuses = retryAfterS === null ? TRANSIENT : [409, ...TRANSIENT];
  if (!statuses.includes(outcome.status)) return null;
  if (retryAfterS === null) return backOffMs(attempt);
  return retryAfterS > maxWaitS ? null : retryAfterS * 1000 + jitterOf(FIRST_PAUSE_MS);
}

const jitterOf = (max: number): number => Math.random() * max;

/** Milliseconds to wait after this many failures: exponential with jitter, so that clients do not retry in step. */
export function backOffMs(failures: number): number {
  const max = Math.min(LAST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1));
  return max / 2 + jitterOf(max / 2);
}

/** Rejects with the signal's reason when it is aborted. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason as Error);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort);
      resolve();
    }, ms);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
  });
}
