import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { EventStream } from '@po/testing/event-stream';
import { eventually } from '@po/testing/eventually';
import { signedToken, signingKey } from '@po/testing/identity-provider';
import { type RunningGateway, runGateway } from '../fixtures/gateway.js';
import { fakeInboxes } from '../fixtures/fake-inboxes.js';
import { ec, ed } from '../fixtures/token-verifier.js';
import { Connection } from './connection.js';

const nowS = () => Math.floor(Date.now() / 1000);
const MINUTE_MS = 60_000;

describe('a live stream', () => {
  let gateway: RunningGateway;
  let inboxes: ReturnType<typeof fakeInboxes>;
  let streams: EventStream[];
  let user = 'u-0';
  const begin = async (timing: { openMs?: number } = {}) => {
    gateway = await runGateway({ services: [inboxes.Service], keysMaxAgeS: 0.1, timing: { pollMs: 60, ...timing } });
  };
  beforeEach(() => {
    inboxes = fakeInboxes();
    streams = [];
    user = `u-${Number(user.slice(2)) + 1}`;
  });
  afterEach(async () => {
    for (const stream of streams) stream.close();
    await gateway.stop();
  });

  const tokenOf = (claims: Record<string, unknown> = {}, key = ec) =>
    signedToken(key, gateway.provider.claims({ sub: user, role: 'VENDOR', vendor_code: 'ACME', ...claims }));
  const open = async (token = tokenOf(), headers: Record<string, string> = {}) => {
    const stream = await EventStream.open({ gatewayUrl: gateway.url, token, headers });
    streams.push(stream);
    await eventually('the stream begins', () => stream.events.length > 0);
    return stream;
  };
  const ending = async (stream: EventStream) => {
    expect(await stream.ended).toBe(true);
    return stream.events.at(-1);
  };
  const expired = expect.objectContaining({ name: 'end', data: { reason: 'token-expired' } });
  /** Asserts that the stream sends a new notification and has not ended. */
  const continues = async (stream: EventStream, sub = user) => {
    const before = stream.dataOf('notification').length;
    inboxes.of(sub).add();
    await eventually('the stream continues', () => stream.dataOf('notification').length > before);
    expect(stream.dataOf('end')).toEqual([]);
  };

  it('ends when the key of its token is removed, but not when another key is added or removed', async () => {
    await begin();
    const [gone, kept] = [await open(), await open(tokenOf({}, ed))];
    gateway.provider.keys = [ec, ed, signingKey('new')];
    await eventually('the new key is known', async () => {
      const token = signedToken(gateway.provider.keys[2] ?? ec, gateway.provider.claims());
      return (await gateway.call('/api/notifications/stream', { method: 'HEAD', token })).status === 200;
    });
    await continues(gone);
    gateway.provider.keys = [ed];
    expect(await ending(gone)).toEqual(expired);
    await continues(kept);
  });

  it.each([
    ['role', { role: 'BUYER' }],
    ['vendor', { vendor_code: 'BOLT' }],
  ])('ends when its user calls with a newer token for another %s, and for no other call', async (_what, changed) => {
    await begin();
    const iat = nowS() - 60;
    const call = (claims: Record<string, unknown>) =>
      gateway.call('/api/notifications/stream', { method: 'HEAD', token: tokenOf(claims) });
    const [old, others] = [await open(tokenOf({ iat })), await open(tokenOf({ iat, sub: 'u-other' }))];
    await call({ ...changed, iat: iat - 1 });
    await call({ iat: iat + 1 });
    await continues(old);
    await call({ ...changed, iat: iat + 2 });
    expect(await ending(old)).toEqual(expired);
    await continues(others, 'u-other');
    const renewed = await open(tokenOf({ ...changed, iat: iat + 2 }));
    await call({ iat });
    await call({ ...changed, iat: iat + 3 });
    await continues(renewed);
  });

  it('ends after its maximum time, and its client misses nothing', async () => {
    await begin({ openMs: 300 });
    inboxes.of(user).add();
    const first = await open();
    inboxes.of(user).add();
    expect(await ending(first)).toMatchObject({ name: 'end', data: { reason: 'shutdown' } });
    inboxes.of(user).add();
    const next = await open(tokenOf(), { 'last-event-id': 'n-1' });
    await eventually('both notifications arrive', () => next.dataOf('notification').length === 2);
    expect(next.dataOf<{ id: string }>('notification').map(({ id }) => id)).toEqual(['n-2', 'n-3']);
  });
});

describe('a connection', () => {
  beforeAll(() => void jest.useFakeTimers());
  afterAll(() => void jest.useRealTimers());

  const ended = jest.fn();
  const open = () => {
    const response = Object.assign(new EventEmitter(), {
      writableEnded: false,
      destroyed: false,
      writableLength: 0,
      write: () => true,
      end: ended,
      destroy: ended,
    });
    const connection = new Connection(response as unknown as ServerResponse, Date.now() + 60 * MINUTE_MS);
    return { response, connection };
  };

  it('leaves no timer behind if it is ended after its client has disconnected', async () => {
    const { response, connection } = open();
    Object.assign(response, { destroyed: true }).emit('close');
    await connection.closed;
    connection.end('token-expired');
    expect(jest.getTimerCount()).toBe(0);
  });

  it('stays open for at least 13 and at most 15 minutes', () => {
    const { response, connection } = open();
    jest.advanceTimersByTime(13 * MINUTE_MS);
    expect(ended).not.toHaveBeenCalled();
    jest.advanceTimersByTime(2 * MINUTE_MS);
    expect([ended.mock.calls[0], connection.reason]).toEqual([
      ['event: end\ndata: {"reason":"shutdown"}\n\n'],
      'renewed',
    ]);
    response.emit('close');
  });
});
