import type { Operation } from '@po/gateway/dist/routes/operation.js';
import type { ExampleResponse } from './response.js';

export const EVENT_STREAM = 'text/event-stream';

/** Whether the response is a stream, which does not end by itself. */
export const isStream = (reply: Operation['reply']): boolean =>
  reply !== null && 'media' in reply && reply.media.includes(EVENT_STREAM);

/** Last of the initial events of a stream: the number of unread notifications. */
const LAST_INITIAL_EVENT = /^event: unread\n(?:.*\n)+?\n/m;

interface StreamRequest {
  url: string;
  token: string | undefined;
  headers: Record<string, string>;
  /** Number of streams to open before this one. */
  opened?: number;
}

/** Returns the initial events of a stream, or its refusal. Closes this stream and those opened before it. */
export async function responseOfStream({ url, token, headers, opened = 0 }: StreamRequest): Promise<ExampleResponse> {
  const closing = new AbortController();
  const open = () =>
    fetch(url, {
      headers: { ...headers, ...(token === undefined ? {} : { 'x-user-token': token }) },
      signal: closing.signal,
    });
  try {
    for (let others = 0; others < opened; others += 1) await open();
    const response = await open();
    if (response.status !== 200) return { status: response.status, body: await response.json() };
    return { status: 200, body: await initialEventsOf(response) };
  } finally {
    closing.abort();
  }
}

async function initialEventsOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (LAST_INITIAL_EVENT.test(text)) break;
  }
  return text;
}
