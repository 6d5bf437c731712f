import type { Operation } from '@po/gateway/dist/routes/operation.js';
import type { ExampleAnswer } from './answer.js';

export const EVENT_STREAM = 'text/event-stream';

/** Whether what is answered does not end by itself. */
export const isStream = (reply: Operation['reply']): boolean =>
  reply !== null && 'media' in reply && reply.media.includes(EVENT_STREAM);

/** What ends the greeting of a stream: how many notifications are unread. */
const GREETED = /^event: unread\n(?:.*\n)+?\n/m;

interface StreamRequest {
  url: string;
  token: string | undefined;
  headers: Record<string, string>;
  /** So many others are open already. */
  opened?: number;
}

/** What a stream begins with, or why it is refused. It, and those that were opened before it, are closed then. */
export async function answerOfStream({ url, token, headers, opened = 0 }: StreamRequest): Promise<ExampleAnswer> {
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
    return { status: 200, body: await greetingOf(response) };
  } finally {
    closing.abort();
  }
}

async function greetingOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (GREETED.test(text)) break;
  }
  return text;
}
