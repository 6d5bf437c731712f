import { ApiProblem, retryAfterOf } from './problem.js';

export interface Transport {
  /** Those of the user, asked for before each attempt: a token may expire in between. */
  headers: () => Promise<Record<string, string>>;
  fetch: (request: Request) => Promise<Response>;
}

export interface RetryOptions {
  /** How often a request is sent at most; 1 = never again. */
  attempts?: number;
  /** Longest Retry-After that is waited for, in seconds; for a longer one the refusal is the answer. */
  longestWaitS?: number;
}

const FIRST_PAUSE_MS = 250;
const LAST_PAUSE_MS = 5_000;

/** Nobody has done anything, or nobody knows. */
const TRANSIENT = [429, 502, 503, 504];

/** Node aborts a request only while its Request object, and the one whose signal that follows, are reachable. */
const keptBy = new WeakMap<object, Request>();

/** Keeps the request until its answer's body was read. */
export async function fetchAbortably(
  request: Request,
  fetch: (request: Request) => Promise<Response>,
): Promise<Response> {
  const response = await fetch(request);
  if (response.body) keptBy.set(response.body, request);
  return response;
}

/**
 * Sends a request again when it failed on the way or the API asks to come back, after Retry-After or a growing pause with jitter: all its
 * attempts have one effect, of writes by their key. An aborted request is not tried again. What a repeated DELETE does not find counts as
 * deleted by an earlier attempt: 204.
 */
export async function fetchPatiently(
  request: Request,
  { headers, fetch }: Transport,
  { attempts = 4, longestWaitS = 30 }: RetryOptions = {},
): Promise<Response> {
  let mayBeDone = false;
  for (let attempt = 1; ; attempt += 1) {
    const last = attempt >= attempts;
    const ofUser = await headers();
    // A body can be read once: what is sent is a copy while another attempt may follow. Node loses the signal of a mere clone.
    const sent = last ? request : new Request(request.clone(), { signal: request.signal });
    keptBy.set(sent, request);
    for (const [name, value] of Object.entries(ofUser)) if (!sent.headers.has(name)) sent.headers.set(name, value);
    const outcome = await fetchAbortably(sent, fetch).catch((error: unknown) => ({ error }));
    if (mayBeDone && (await isNotFound(outcome))) return new Response(null, { status: 204 });
    const pauseMs = last || request.signal.aborted ? null : waitOf(outcome, attempt, longestWaitS);
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

/** 503 is that of the API, which has done nothing then, where it says when to come back. */
const isUndone = (outcome: Outcome): boolean =>
  outcome instanceof Response && retryAfterOf(outcome) !== null && [429, 503].includes(outcome.status);

/** Of the API itself, not of something on the way. */
const isNotFound = async (outcome: Outcome): Promise<boolean> =>
  outcome instanceof Response && outcome.status === 404 && (await ApiProblem.of(outcome.clone())).document !== null;

/** Milliseconds until the next attempt; null when there shall be none. */
function waitOf(outcome: Outcome, attempt: number, longestWaitS: number): number | null {
  if ('error' in outcome) return pauseOf(attempt);
  const retryAfterS = retryAfterOf(outcome);
  // The one 409 that says when to come back is that of a request which is still running under this key.
  const statuses = retryAfterS === null ? TRANSIENT : [409, ...TRANSIENT];
  if (!statuses.includes(outcome.status)) return null;
  if (retryAfterS === null) return pauseOf(attempt);
  return retryAfterS > longestWaitS ? null : retryAfterS * 1000 + jitterOf(FIRST_PAUSE_MS);
}

const jitterOf = (most: number): number => Math.random() * most;

/** Milliseconds before the attempt that follows so many failures: it grows, and no two clients keep step. */
export function pauseOf(failures: number): number {
  const most = Math.min(LAST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1));
  return most / 2 + jitterOf(most / 2);
}

/** Rejects with the signal's reason when it is aborted meanwhile. */
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
