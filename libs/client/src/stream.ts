import { type EventSourceMessage, createParser } from 'eventsource-parser';
import type { components } from './api.js';
import { ApiProblem } from './problem.js';
import { type Transport, fetchAbortable, pause, backOffMs } from './retry.js';

type Schemas = components['schemas'];

/** Events of the live stream, by name. */
export type StreamEvent =
  | { event: 'unread'; data: Schemas['UnreadEvent'] }
  | { event: 'notification'; id: string; data: Schemas['Notification'] }
  | { event: 'po-changed'; data: Schemas['PurchaseOrderChangedEvent'] }
  /** A message was written. Best effort: may be repeated or lost. */
  | { event: 'message-posted'; data: Schemas['MessagePostedEvent'] }
  /** Missed events will not be sent again: reload the notifications. */
  | { event: 'reset' };

export interface StreamOptions {
  /** Ends the stream. */
  signal?: AbortSignal;
  /** Id of the last known notification; the stream starts with the events after it. */
  lastEventId?: string;
  /** Called when the stream is connected and when it is lost. Events during a loss are not repeated, except notifications. */
  onConnection?: (connected: boolean) => void;
}

interface Source extends Transport {
  url: string;
  retryToken?: ((error: unknown) => boolean) | undefined;
}

/** Also applies until the first response; the API writes a comment every 15 s. */
const MAX_SILENCE_MS = 45_000;

/**
 * Streams the caller's notifications and order changes until the signal is aborted. Resumes after the last notification when the connection
 * ends; order changes between two connections are lost. Throws ApiProblem for a permanent refusal by the API, such as an invalid token, and
 * the errors of `token` and `onConnection`.
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
        const request = new Request(url, {
          headers: { Accept: 'text/event-stream', ...ofUser, ...resume },
          cache: 'no-store',
          signal: end,
        });
        return fetchAbortable(request, fetch).catch(() => null);
      };
      const response = await Promise.race([open(), abortOf(end)]);
      if (response?.ok && response.body) {
        watch.stop();
        connected = true;
        onConnection(true);
        // Without an id, events between two connections cannot be determined.
        if (connection > 1 && last === undefined) yield { event: 'reset' };
        const onRetry = (ms: number) => void (retryMs = ms);
        for await (const { event, id, data } of messagesOf(response.body, onRetry, watch)) {
          if (signal.aborted) break;
          if (id !== undefined) last = id;
          // The id stays after a reset: if the connection breaks before the next notification, the reset is repeated.
          if (event === 'reset') yield { event };
          else if (isKnownEvent(event)) yield { event, id, data: JSON.parse(data) as unknown } as StreamEvent;
          // Reset only here, so that a server that ends connections right after opening is contacted less and less often.
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
    await pause(Math.max(askedForMs, retryMs) + backOffMs(failures), signal).catch(() => undefined);
  }
}

/** Ignores events that only a newer version knows. */
const isKnownEvent = (event: string | undefined): boolean =>
  event === 'unread' || event === 'notification' || event === 'po-changed' || event === 'message-posted';

/** An intermediary may refuse anything while the API is replaced or the user's network asks for a sign-in. */
const isTransient = ({ status, document }: ApiProblem): boolean => document === null || status === 429 || status >= 500;

/** Yields messages until the connection ends or breaks. */
async function* messagesOf(body: ReadableStream<Uint8Array>, onRetry: (ms: number) => void, watch: SilenceWatch) {
  const messages: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (message) => void messages.push(message), onRetry });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      watch.start();
      const chunk = await reader.read().catch(() => null);
      // While the consumer handles events, nobody reads, so that silence cannot be determined.
      watch.stop();
      if (!chunk || chunk.done) return;
      parser.feed(decoder.decode(chunk.value, { stream: true }));
      yield* messages.splice(0);
    }
  } finally {
    // Also ends the connection if the consumer stops iterating.
    watch.end();
    await reader.cancel().catch(() => undefined);
  }
}

type SilenceWatch = ReturnType<typeof watchSilence>;

/** A connection can be lost without a sign, so one that is silent for longer than the API ever is gets closed. */
function watchSilence() {
  const silence = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = () => clearTimeout(timer);
  const start = () => {
    timer = setTimeout(() => silence.abort(), MAX_SILENCE_MS);
  };
  start();
  const end = () => {
    stop();
    silence.abort();
  };
  return { signal: silence.signal, start, stop, end };
}

const abortOf = (signal: AbortSignal): Promise<null> =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(null), { once: true });
  });
