import { afterEach, describe, expect, it } from '@jest/globals';
import { createClient } from '@po/client';
import { eventually } from '@po/testing/eventually';
import { followShared } from './shared-stream.js';

type Connection = [connected: boolean, again: boolean];

/** An API whose streams the test opens and closes. */
function streams() {
  const requests: { signal: AbortSignal; answer: (stream: Response) => void }[] = [];
  const client = createClient({
    baseUrl: 'http://portal.test/api',
    token: 'token',
    fetch: ({ signal }) => new Promise((answer) => void requests.push({ signal, answer })),
  });
  /** Answers the request with this zero-based number once it arrives. Resolves with a function that closes the stream. */
  const open = async (number: number) => {
    const { signal, answer } = await eventually('the stream is requested', () => requests[number]);
    return new Promise<() => void>((resolve) => {
      const start = (controller: ReadableStreamDefaultController) => {
        signal.addEventListener('abort', () => controller.error(signal.reason));
        resolve(() => controller.close());
      };
      answer(new Response(new ReadableStream({ start })));
    });
  };
  return { client, open };
}

describe('a live stream shared by the tabs of a browser', () => {
  const stops: (() => void)[] = [];
  afterEach(() => {
    for (const stop of stops.splice(0)) stop();
  });

  it('reports the reconnection also to a tab that was opened during the outage', async () => {
    const { client, open } = streams();
    const tab = () => {
      const calls: Connection[] = [];
      const connection = (...now: Connection) => void calls.push(now);
      stops.push(followShared(client, 'u-1', { take: () => undefined, connection }));
      return calls;
    };
    const leader = tab();
    const end = await open(0);
    await eventually('the first tab is connected', () => leader.length === 1);
    end();
    await eventually('the first tab is disconnected', () => leader.length === 2);
    const later = tab();
    await eventually('the second tab knows the state', () => later.length === 1);
    await open(1);
    await eventually('the stream is back', () => later.length === 2);
    expect(later).toEqual([
      [false, false],
      [true, true],
    ]);
    expect(leader).toEqual([
      [true, false],
      [false, false],
      [true, true],
    ]);
  });
});
