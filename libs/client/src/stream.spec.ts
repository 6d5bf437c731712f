import assert from 'node:assert';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { collectGarbage } from './fixtures/garbage.js';
import { type ScriptedServer, problem, startScripted } from './fixtures/scripted-server.js';
import { type PurchaseOrderClient, type StreamEvent, createClient } from './index.js';

const frame = (event: string, data: unknown, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
const notification = (id: string) => frame('notification', { id }, id);

/** Responds with these frames, then ends or breaks the connection or leaves it open. */
const streamOf =
  (frames: string[], then: 'end' | 'break' | 'stay' = 'end', retryMs = 10) =>
  (response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write([`retry: ${retryMs}\n\n`, ': nothing yet\n\n', ...frames].join(''), () => {
      if (then === 'end') response.end();
      if (then === 'break') response.destroy();
    });
  };

describe('the live stream', () => {
  let server: ScriptedServer;
  let client: PurchaseOrderClient;
  beforeEach(async () => {
    server = await startScripted();
    client = createClient({ baseUrl: `${server.baseUrl}/`, token: 'the-token' });
  });
  afterEach(() => {
    jest.useRealTimers();
    server.stop();
  });

  /** Receives this number of events. */
  async function events(count: number, lastEventId?: string): Promise<StreamEvent[]> {
    const given: StreamEvent[] = [];
    for await (const event of client.stream(lastEventId === undefined ? {} : { lastEventId })) {
      given.push(event);
      if (given.length === count) break;
    }
    return given;
  }
  const resumedAfter = () =>
    server.seen.map(({ headers }: { headers: IncomingMessage['headers'] }) => headers['last-event-id']);

  it('yields events, sends the token and ignores unknown events', async () => {
    const changed = { poRef: 'PO-1', version: 2, statusId: 200 };
    const posted = { poRef: 'PO-1', messageId: 'm1' };
    server.scripts = [
      streamOf([
        frame('unread', { unread: 1 }),
        frame('weather', 1),
        notification('n1'),
        frame('po-changed', changed),
        frame('message-posted', posted),
      ]),
    ];
    expect(await events(4)).toEqual([
      { event: 'unread', data: { unread: 1 } },
      { event: 'notification', id: 'n1', data: { id: 'n1' } },
      { event: 'po-changed', data: changed },
      { event: 'message-posted', data: posted },
    ]);
    expect(server.seen[0]).toMatchObject({
      url: expect.stringMatching(/^\/api\/notifications\/stream\?client=/),
      headers: { 'x-user-token': 'the-token', accept: 'text/event-stream' },
    });
  });

  it.each(['end', 'break'] as const)(
    'resumes after the last notification when the connection comes to an %s',
    async (how) => {
      server.scripts = [
        streamOf([notification('n1'), notification('n2')], how),
        streamOf([frame('end', { reason: 'shutdown' })]),
        streamOf([notification('n3')], 'stay'),
      ];
      expect((await events(3, 'n0')).map((event) => ('id' in event ? event.id : event.event))).toEqual([
        'n1',
        'n2',
        'n3',
      ]);
      expect(resumedAfter()).toEqual(['n0', 'n2', 'n2']);
    },
  );

  it('identifies itself by the same UUID in all its connections, and by another one than other streams', async () => {
    server.scripts = [streamOf([notification('n1')]), streamOf([notification('n2')], 'stay')];
    for (const count of [2, 1]) await events(count);
    const [first, again, other] = server.seen.map(({ url }) => url.split('=')[1]);
    expect(first).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(again).toBe(first);
    expect(other).not.toBe(first);
  });

  it('waits as long as the server requests before it reconnects', async () => {
    server.scripts = [streamOf([notification('n1')], 'end', 700), streamOf([notification('n2')], 'stay')];
    let endedAt = 0;
    const onConnection = (connected: boolean) => {
      if (!connected) endedAt = performance.now();
    };
    for await (const _event of client.stream({ onConnection })) if (endedAt > 0) break;
    // A timer may fire a few milliseconds early.
    expect(performance.now() - endedAt).toBeGreaterThan(690);
  });

  it('waits longer each time if connections end without events', async () => {
    server.scripts = [streamOf([])];
    const abort = new AbortController();
    const ended = client.stream({ signal: abort.signal, lastEventId: 'n0' }).next();
    // Waits for real time: the stream takes no clock.
    await delay(1_500);
    abort.abort();
    await ended;
    // After at least 125, 250, 500 and 1,000 ms.
    expect(server.seen.length).toBeLessThanOrEqual(4);
  });

  it('yields a reset after a reconnection if no event id identifies the position', async () => {
    server.scripts = [
      streamOf([frame('unread', { unread: 0 })], 'break'),
      streamOf([frame('unread', { unread: 3 })], 'stay'),
    ];
    expect(await events(3)).toEqual([
      { event: 'unread', data: { unread: 0 } },
      { event: 'reset' },
      { event: 'unread', data: { unread: 3 } },
    ]);
  });

  it('reports when it is connected and when it is lost', async () => {
    server.scripts = [
      streamOf([notification('n1')], 'break'),
      problem(503, 'UNAVAILABLE', { 'retry-after': '0' }),
      streamOf([notification('n2')]),
      streamOf([notification('n3')], 'stay'),
    ];
    const received: (boolean | string)[] = [];
    for await (const event of client.stream({ onConnection: (connected) => void received.push(connected) })) {
      received.push('id' in event ? event.id : event.event);
      if (received.includes('n3')) break;
    }
    expect(received).toEqual([true, 'n1', false, true, 'n2', false, true, 'n3']);
  });

  it('yields a reset and resumes from the same id until it has a newer one', async () => {
    server.scripts = [
      streamOf([frame('reset', {})]),
      streamOf([frame('reset', {}), notification('n9')]),
      streamOf([notification('n10')], 'stay'),
    ];
    expect((await events(4, 'lost')).map(({ event }) => event)).toEqual([
      'reset',
      'reset',
      'notification',
      'notification',
    ]);
    expect(resumedAfter()).toEqual(['lost', 'lost', 'n9']);
  });

  it('reconnects after a temporary refusal and throws a permanent one', async () => {
    server.scripts = [problem(503, 'UNAVAILABLE', { 'retry-after': '0' }), streamOf([notification('n1')])];
    expect(await events(1, 'n0')).toHaveLength(1);
    server.scripts = [problem(401, 'TOKEN_EXPIRED')];
    await expect(events(1)).rejects.toMatchObject({ name: 'ApiProblem', code: 'TOKEN_EXPIRED' });
  });

  it.each([403, 404])('reconnects after a %i of an intermediary, which is no answer of the API', async (status) => {
    server.scripts = [
      (response) => response.writeHead(status, { 'content-type': 'text/html' }).end('<p>not here</p>'),
      streamOf([notification('n1')]),
    ];
    expect(await events(1, 'n0')).toMatchObject([{ id: 'n1' }]);
  });

  it.each([
    ['token', { token: () => Promise.reject(new Error('the session is over')) }, {}, 'the session is over'],
    ['address', { baseUrl: 'no address' }, {}, 'Failed to parse URL'],
    ['listener', {}, { onConnection: (connected: boolean) => assert(!connected, 'a defect') }, 'a defect'],
  ])('throws the error of a failing %s', async (_what, options, streamOptions, message) => {
    server.scripts = [streamOf([notification('n1')])];
    client = createClient({ baseUrl: server.baseUrl, token: 'the-token', ...options });
    await expect(client.stream(streamOptions).next()).rejects.toThrow(message);
  });

  it('requests the token again after an error that the caller considers temporary', async () => {
    server.scripts = [streamOf([notification('n1')], 'stay')];
    const failures = ['the provider is away', 'the session is over'];
    const token = () => Promise.reject(new Error(failures.shift()));
    const retryToken = (error: unknown) => String(error).endsWith('away');
    client = createClient({ baseUrl: server.baseUrl, token, retryToken });
    await expect(client.stream().next()).rejects.toThrow('the session is over');
    expect(server.seen).toHaveLength(0);
  });

  it('ends when aborted, whether events arrive or not', async () => {
    server.scripts = [streamOf([notification('n1'), notification('n2')], 'stay')];
    const abort = new AbortController();
    const given: string[] = [];
    for await (const { event } of client.stream({ signal: abort.signal })) {
      given.push(event);
      abort.abort();
    }
    expect(given).toEqual(['notification']);
    for await (const { event } of client.stream({ signal: abort.signal })) given.push(event);
    expect([given.length, server.seen.length]).toEqual([1, 1]);
  });

  it('ends when aborted after a garbage collection', async () => {
    server.scripts = [streamOf([notification('n1')], 'stay')];
    const abort = new AbortController();
    const ended = (async () => {
      for await (const _event of client.stream({ signal: abort.signal }));
    })();
    await collectGarbage();
    abort.abort();
    await ended;
    expect(server.seen).toHaveLength(1);
  });

  describe('without data for 45 s', () => {
    beforeEach(() => {
      jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance'] });
    });

    /** Advances the clock past 45 s and the pause before the next connection. */
    async function silence(begun: () => boolean): Promise<void> {
      // oxlint-disable-next-line eslint/no-await-in-loop -- waits for real connections
      while (!begun()) await delay(10);
      await jest.advanceTimersByTimeAsync(50_000);
    }

    it('reconnects if the server does not respond', async () => {
      server.scripts = [() => undefined, streamOf([notification('n1')], 'stay')];
      const given = events(1, 'n0');
      await silence(() => server.seen.length === 1);
      expect(await given).toMatchObject([{ id: 'n1' }]);
    });

    it('reconnects if its token does not arrive', async () => {
      server.scripts = [streamOf([notification('n1')], 'stay')];
      let tokenRequests = 0;
      const token = () => ((tokenRequests += 1) === 1 ? new Promise<string>(() => undefined) : 'the-token');
      client = createClient({ baseUrl: server.baseUrl, token });
      const given = events(1, 'n0');
      await silence(() => tokenRequests === 1);
      expect(await given).toMatchObject([{ id: 'n1' }]);
    });

    it('reconnects if a connection falls silent', async () => {
      server.scripts = [streamOf([notification('n1')], 'stay'), streamOf([notification('n2')], 'stay')];
      let received = 0;
      const given = (async () => {
        for await (const event of client.stream()) if ((received += 1) === 2) return event;
        return undefined;
      })();
      await silence(() => received === 1);
      expect(await given).toMatchObject({ id: 'n2' });
      expect(resumedAfter()).toEqual([undefined, 'n1']);
    });

    it('keeps a connection whose data waits for the consumer', async () => {
      let send: (text: string) => void = () => undefined;
      server.scripts = [
        (response) => {
          send = (text) => void response.write(text);
          streamOf([notification('n1')], 'stay')(response);
        },
      ];
      const stream = client.stream({ onConnection: (connected) => assert(connected, 'the connection was closed') });
      await stream.next();
      await jest.advanceTimersByTimeAsync(50_000);
      send(notification('n2'));
      expect(await stream.next()).toMatchObject({ value: { id: 'n2' } });
      await stream.return();
    });
  });
});
