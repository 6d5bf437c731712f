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

/** Answers with these frames, and ends or breaks the connection or leaves it open. */
const told =
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

  /** So many events, and what was asked for them. */
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

  it('tells what comes, with the token, and leaves out what it does not know', async () => {
    const changed = { poRef: 'PO-1', version: 2, statusId: 200 };
    const posted = { poRef: 'PO-1', messageId: 'm1' };
    server.scripts = [
      told([
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
      url: '/api/notifications/stream',
      headers: { 'x-user-token': 'the-token' },
    });
  });

  it.each(['end', 'break'] as const)(
    'goes on after the last notification when the connection comes to an %s',
    async (how) => {
      server.scripts = [
        told([notification('n1'), notification('n2')], how),
        told([frame('end', { reason: 'shutdown' })]),
        told([notification('n3')], 'stay'),
      ];
      expect((await events(3, 'n0')).map((event) => ('id' in event ? event.id : event.event))).toEqual([
        'n1',
        'n2',
        'n3',
      ]);
      expect(resumedAfter()).toEqual(['n0', 'n2', 'n2']);
    },
  );

  it('waits as long as the server says before it connects again', async () => {
    server.scripts = [told([notification('n1')], 'end', 700), told([notification('n2')], 'stay')];
    let endedAt = 0;
    const onConnection = (connected: boolean) => {
      if (!connected) endedAt = performance.now();
    };
    for await (const _event of client.stream({ onConnection })) if (endedAt > 0) break;
    expect(performance.now() - endedAt).toBeGreaterThan(690);
  });

  it('waits longer each time when connections end before they tell anything', async () => {
    server.scripts = [told([])];
    const abort = new AbortController();
    const ended = client.stream({ signal: abort.signal, lastEventId: 'n0' }).next();
    await delay(1_500);
    abort.abort();
    await ended;
    // After 125, 250, 500 and 1,000 ms at least.
    expect(server.seen.length).toBeLessThanOrEqual(4);
  });

  it('says that some may be missing where nothing tells what came between two connections', async () => {
    server.scripts = [told([frame('unread', { unread: 0 })], 'break'), told([frame('unread', { unread: 3 })], 'stay')];
    expect(await events(3)).toEqual([
      { event: 'unread', data: { unread: 0 } },
      { event: 'reset' },
      { event: 'unread', data: { unread: 3 } },
    ]);
  });

  it('says when it is there and when it is lost', async () => {
    server.scripts = [
      told([notification('n1')], 'break'),
      problem(503, 'UNAVAILABLE', { 'retry-after': '0' }),
      told([notification('n2')]),
      told([notification('n3')], 'stay'),
    ];
    const said: (boolean | string)[] = [];
    for await (const event of client.stream({ onConnection: (connected) => void said.push(connected) })) {
      said.push('id' in event ? event.id : event.event);
      if (said.includes('n3')) break;
    }
    expect(said).toEqual([true, 'n1', false, true, 'n2', false, true, 'n3']);
  });

  it('passes a reset on, and asks again from the same place until there is a newer one', async () => {
    server.scripts = [
      told([frame('reset', {})]),
      told([frame('reset', {}), notification('n9')]),
      told([notification('n10')], 'stay'),
    ];
    expect((await events(4, 'lost')).map(({ event }) => event)).toEqual([
      'reset',
      'reset',
      'notification',
      'notification',
    ]);
    expect(resumedAfter()).toEqual(['lost', 'lost', 'n9']);
  });

  it('comes back after a refusal that passes, and throws one that does not', async () => {
    server.scripts = [problem(503, 'UNAVAILABLE', { 'retry-after': '0' }), told([notification('n1')])];
    expect(await events(1, 'n0')).toHaveLength(1);
    server.scripts = [problem(401, 'TOKEN_EXPIRED')];
    await expect(events(1)).rejects.toMatchObject({ name: 'ApiProblem', code: 'TOKEN_EXPIRED' });
  });

  it.each([
    ['token', { token: () => Promise.reject(new Error('the session is over')) }, {}, 'the session is over'],
    ['address', { baseUrl: 'no address' }, {}, 'Failed to parse URL'],
    ['listener', {}, { onConnection: (connected: boolean) => assert(!connected, 'a defect') }, 'a defect'],
  ])('throws what a failing %s throws', async (_what, options, streamOptions, message) => {
    server.scripts = [told([notification('n1')])];
    client = createClient({ baseUrl: server.baseUrl, token: 'the-token', ...options });
    await expect(client.stream(streamOptions).next()).rejects.toThrow(message);
  });

  it('asks for a token again after a failure that the caller takes for one that passes', async () => {
    server.scripts = [told([notification('n1')], 'stay')];
    const failures = ['the provider is away', 'the session is over'];
    const token = () => Promise.reject(new Error(failures.shift()));
    const retryToken = (error: unknown) => String(error).endsWith('away');
    client = createClient({ baseUrl: server.baseUrl, token, retryToken });
    await expect(client.stream().next()).rejects.toThrow('the session is over');
    expect(server.seen).toHaveLength(0);
  });

  it('ends when it is aborted, whether something comes or not', async () => {
    server.scripts = [told([notification('n1')], 'stay')];
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

  it('ends when it is aborted after a garbage collection', async () => {
    server.scripts = [told([notification('n1')], 'stay')];
    const abort = new AbortController();
    const ended = (async () => {
      for await (const _event of client.stream({ signal: abort.signal }));
    })();
    await collectGarbage();
    abort.abort();
    await ended;
    expect(server.seen).toHaveLength(1);
  });

  describe('that hears nothing for 45 s', () => {
    beforeEach(() => {
      jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask', 'performance'] });
    });

    /** Lets 45 s and the pause before the next connection pass. */
    async function silence(begun: () => boolean): Promise<void> {
      // oxlint-disable-next-line eslint/no-await-in-loop -- waits for real connections
      while (!begun()) await delay(10);
      await jest.advanceTimersByTimeAsync(50_000);
    }

    it('connects again when the server does not answer', async () => {
      server.scripts = [() => undefined, told([notification('n1')], 'stay')];
      const given = events(1, 'n0');
      await silence(() => server.seen.length === 1);
      expect(await given).toMatchObject([{ id: 'n1' }]);
    });

    it('connects again when its token does not come', async () => {
      server.scripts = [told([notification('n1')], 'stay')];
      let asked = 0;
      const token = () => ((asked += 1) === 1 ? new Promise<string>(() => undefined) : 'the-token');
      client = createClient({ baseUrl: server.baseUrl, token });
      const given = events(1, 'n0');
      await silence(() => asked === 1);
      expect(await given).toMatchObject([{ id: 'n1' }]);
    });

    it('connects again when a connection says nothing more', async () => {
      server.scripts = [told([notification('n1')], 'stay'), told([notification('n2')], 'stay')];
      let heard = 0;
      const given = (async () => {
        for await (const event of client.stream()) if ((heard += 1) === 2) return event;
        return undefined;
      })();
      await silence(() => heard === 1);
      expect(await given).toMatchObject({ id: 'n2' });
      expect(resumedAfter()).toEqual([undefined, 'n1']);
    });
  });
});
