import { type EventSourceMessage, createParser } from 'eventsource-parser';
import type { components } from './api.js';
import { ApiProblem } from './problem.js';
import { type Transport, fetchAbortably, pause, pauseOf } from './retry.js';

type Schemas = components['schemas'];

/** What the live stream tells, by the event's name. */
export type StreamEvent =
  | { event: 'unread'; data: Schemas['UnreadEvent'] }
  | { event: 'notification'; id: string; data: Schemas['Notification'] }
  | { event: 'po-changed'; data: Schemas['PurchaseOrderChangedEvent'] }
  /** A message was written: a hint, that may come twice or be lost. */
  | { event: 'message-posted'; data: Schemas['MessagePostedEvent'] }
  /** Some that were missed will not be told: read the notifications anew. */
  | { event: 'reset' };

export interface StreamOptions {
  /** Ends the stream. */
  signal?: AbortSignal;
  /** Of the last notification that was seen: what came after it is told first. */
  lastEventId?: string;
  /** Told when the stream is there and when it is lost; what changed meanwhile, but for notifications, is not told. */
  onConnection?: (connected: boolean) => void;
}

interface Source extends Transport {
  url: string;
  retryToken?: ((error: unknown) => boolean) | undefined;
}

/** Also until the first answer; the API writes a comment every 15 s. */
const MAX_SILENCE_MS = 45_000;

/**
 * Follows the caller's notifications and orders, and goes on after the last notification when the connection ends, until the signal is
 * aborted. Changes of orders that fall between two connections are not told. Throws ApiProblem for a refusal that waiting does not cure,
 * as that of a token which is not good, and what `token` or `onConnection` throws.
 */
export async function* streamEvents(
  { url, headers, fetch, retryToken }: Source,
  { signal = new AbortController().signal, lastEventId, onConnection = () => undefined }: StreamOptions,
): AsyncGenerator<StreamEvent, void> {
  let last = lastEventId;
  let failures = 0;
  let retryMs = 0;
  for (let connection = 1; !signal.aborted; connection += 1) {
    let connected = false;
    let askedForMs = 0;
    const watch = watchSilence();
    try {
      const end = AbortSignal.any([signal, watch.signal]);
      const open = async () => {
        const resume: Record<string, string> = last === undefined ? {} : { 'Last-Event-ID': last };
        const ofUser = await headers().catch((error: unknown) => {
          if (!retryToken?.(error)) throw error;
          return null;
        });
        if (!ofUser) return null;
        const request = new Request(url, { headers: { ...ofUser, ...resume }, signal: end });
        return fetchAbortably(request, fetch).catch(() => null);
      };
      const response = await Promise.race([open(), abortOf(end)]);
      if (response?.ok && response.body) {
        connected = true;
        onConnection(true);
        // Without an id nothing says what came between two connections.
        if (connection > 1 && last === undefined) yield { event: 'reset' };
        const onRetry = (ms: number) => void (retryMs = ms);
        for await (const { event, id, data } of messagesOf(response.body, onRetry, watch)) {
          if (id !== undefined) last = id;
          // The id stays after a reset: a connection that breaks before the next notification is told of it again.
          if (event === 'reset') yield { event };
          else if (isTold(event)) yield { event, id, data: JSON.parse(data) as unknown } as StreamEvent;
          // Not before: a server that ends what it has just opened is asked less and less often.
          failures = 0;
        }
      } else if (response) {
        const problem = await ApiProblem.of(response);
        if (!signal.aborted && !isTransient(problem)) throw problem;
        askedForMs = (problem.retryAfterS ?? 0) * 1000;
      }
    } finally {
      watch.end();
    }
    if (connected) onConnection(false);
    failures += 1;
    await pause(Math.max(askedForMs, retryMs) + pauseOf(failures), signal).catch(() => undefined);
  }
}

/** Names that only a newer version knows are left out. */
const isTold = (event: string | undefined): boolean =>
  event === 'unread' || event === 'notification' || event === 'po-changed' || event === 'message-posted';

const isTransient = ({ status }: ApiProblem): boolean => status === 429 || status >= 500;

/** Ends where the connection ends or breaks. */
async function* messagesOf(body: ReadableStream<Uint8Array>, onRetry: (ms: number) => void, watch: SilenceWatch) {
  const messages: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (message) => void messages.push(message), onRetry });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const chunk = await reader.read().catch(() => null);
      if (!chunk || chunk.done) return;
      watch.heard();
      parser.feed(decoder.decode(chunk.value, { stream: true }));
      yield* messages.splice(0);
    }
  } finally {
    // Ends the connection of one who stops listening, too.
    watch.end();
    await reader.cancel().catch(() => undefined);
  }
}

type SilenceWatch = ReturnType<typeof watchSilence>;

/** A connection may be gone without a sign: one that says nothing for longer than the API ever does is given up. */
function watchSilence() {
  const silence = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const heard = () => {
    clearTimeout(timer);
    timer = setTimeout(() => silence.abort(), MAX_SILENCE_MS);
  };
  heard();
  const end = () => {
    clearTimeout(timer);
    silence.abort();
  };
  return { signal: silence.signal, heard, end };
}

const abortOf = (signal: AbortSignal): Promise<null> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(null), { once: true });
  });
