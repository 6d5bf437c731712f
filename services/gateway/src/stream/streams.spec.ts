import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ProblemError } from '@po/contracts';
import { register } from 'prom-client';
import { EventStream } from '@po/testing/event-stream';
import { eventually } from '@po/testing/eventually';
import { gatewayForTests } from '../fixtures/gateway.js';
import { type FakeInbox, fakeInboxes } from '../fixtures/fake-inboxes.js';

type Opening = Partial<Parameters<typeof EventStream.open>[0]> & { claims?: Record<string, unknown> };

const nowS = () => Math.floor(Date.now() / 1000);

describe('live streams without Redis', () => {
  const { of, Service } = fakeInboxes();
  const gateway = gatewayForTests({
    services: [Service],
    corsOrigins: ['https://portal.example.com'],
    timing: { pollMs: 60, commentEveryMs: 25 },
  });
  let inbox: FakeInbox;
  let opened: EventStream[];
  let user = 'u-0';

  beforeEach(() => {
    user = `u-${Number(user.slice(2)) + 1}`;
    inbox = of(user);
    opened = [];
  });
  afterEach(async () => {
    for (const stream of opened) stream.close();
    await eventually('all streams are closed', async () => (await openNow()) === 0);
  });

  const open = async ({ claims, ...opening }: Opening = {}) => {
    const token = gateway.provider.token({ sub: user, role: 'VENDOR', vendor_code: 'ACME', ...claims });
    const stream = await EventStream.open({ gatewayUrl: gateway.url, token, ...opening });
    opened.push(stream);
    return stream;
  };
  const came = (stream: EventStream, count: number) =>
    eventually(`${count} events`, () => stream.events.length >= count && stream.events.map(shown));
  const shown = ({ name, id, data }: EventStream['events'][0]) =>
    name === 'notification' ? `${name} ${id} ${(data as { id: string }).id}` : `${name} ${JSON.stringify(data)}`;
  const notificationEvents = (...ids: string[]) => ids.map((id) => `notification ${id} ${id}`);
  const metric = async (name: string) => (await register.getSingleMetric(name)?.get())?.values ?? [];
  const openNow = async () => (await metric('live_streams_open'))[0]?.value;

  it('begin with the retry time, the unread count, and no earlier notification', async () => {
    inbox.add(3);
    const stream = await open({ headers: { origin: 'https://portal.example.com' } });
    expect(await came(stream, 1)).toEqual(['unread {"unread":3}']);
    await eventually('comment lines come', () => stream.others.length > 3);
    expect([stream.others[0], ...new Set(stream.others.slice(1))]).toEqual(['retry: 1000', ':']);
    expect([stream.status, stream.headers]).toEqual([
      200,
      expect.objectContaining({
        'content-type': 'text/event-stream',
        'cache-control': 'no-cache',
        'x-accel-buffering': 'no',
        'x-api-version': '1',
        'access-control-allow-origin': 'https://portal.example.com',
        'x-request-id': expect.any(String),
      }),
    ]);
    expect(stream.headers['content-encoding']).toBeUndefined();
  });

  it('begin with all notifications after the last event id; the header takes precedence over the query', async () => {
    const ids = inbox.add(120);
    const headers = { 'last-event-id': 'n-7' };
    for (const [opening, from] of [
      [{ headers }, 7],
      [{ headers, query: '?lastEventId=n-9' }, 7],
      [{ query: '?lastEventId=n-119' }, 119],
      [{ query: '?lastEventId=n-120' }, 120],
      [{ query: '?lastEventId=', headers: { 'last-event-id': '' } }, 120],
    ] as const) {
      const stream = await open(opening);
      expect(await came(stream, 1 + 120 - from)).toEqual([
        'unread {"unread":120}',
        ...notificationEvents(...ids.slice(from)),
      ]);
      stream.close();
    }
  });

  it('send a reset for an unknown last event id, and continue from now', async () => {
    inbox.add(2);
    const stream = await open({ headers: { 'last-event-id': 'nobody`s' } });
    expect(await came(stream, 2)).toEqual(['unread {"unread":2}', 'reset {}']);
    inbox.add();
    expect((await came(stream, 4)).slice(2)).toEqual([...notificationEvents('n-3'), 'unread {"unread":3}']);
    const long = await open({ query: `?lastEventId=${'x'.repeat(1_000)}` });
    expect(await came(long, 2)).toEqual(['unread {"unread":3}', 'reset {}']);
  });

  it('send each new notification once, and the unread count whenever it changes', async () => {
    const stream = await open();
    await came(stream, 1);
    inbox.add(2);
    await came(stream, 4);
    inbox.unread = 0;
    expect(await came(stream, 5)).toEqual([
      'unread {"unread":0}',
      ...notificationEvents('n-1', 'n-2'),
      'unread {"unread":2}',
      'unread {"unread":0}',
    ]);
    expect(stream.events[1]?.data).toEqual({ id: 'n-1', comment: null, since: 'tomorrow' });
  });

  it('of one user share their requests per role and vendor', async () => {
    // A newer token for another vendor would end the other streams.
    const iat = nowS();
    const tabs = await Promise.all(Array.from({ length: 3 }, () => open({ claims: { iat } })));
    const elsewhere = await open({ claims: { iat, vendor_code: 'BOLT' } });
    for (const tab of [...tabs, elsewhere]) await came(tab, 1);
    const begun = inbox.vendorCodes.length;
    const queriesOf = (vendorCode: string) =>
      inbox.vendorCodes.slice(begun).filter((code) => code === vendorCode).length;
    await eventually('several requests are made', () => queriesOf('BOLT') > 5);
    inbox.add();
    for (const tab of [...tabs, elsewhere]) await came(tab, 3);
    // With separate requests there would be three times as many.
    expect(queriesOf('ACME')).toBeLessThan(2 * queriesOf('BOLT'));
  });

  it('miss nothing that arrives while they catch up, and send nothing twice', async () => {
    const ids = inbox.add(60);
    const release = Promise.withResolvers<void>();
    inbox.held = release.promise;
    const opening = open({ headers: { 'last-event-id': 'n-1' } });
    await eventually('the inbox is requested', () => inbox.queries.length === 1);
    ids.push(...inbox.add(3));
    release.resolve();
    const stream = await opening;
    ids.push(...inbox.add(2));
    await eventually('all notifications arrive', () => stream.lastId === 'n-65');
    expect(stream.dataOf<{ id: string }>('notification').map(({ id }) => id)).toEqual(ids.slice(1));
  });

  it('miss nothing when the other streams close during a request', async () => {
    inbox.add(9);
    const leaving = await open();
    await came(leaving, 1);
    const [first, poll] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    inbox.heldAfter.set('n-9', first.promise);
    const opening = open({ headers: { 'last-event-id': 'n-9' } });
    await eventually('the inbox is requested', () => inbox.queries.some(({ after }) => after === 'n-9'));
    inbox.add();
    await eventually('the other stream has it', () => leaving.lastId === 'n-10');
    inbox.heldAfter.set(10, poll.promise);
    inbox.add();
    const queriesBefore = inbox.queries.length;
    await eventually('the next request is made', () => inbox.queries.length > queriesBefore);
    leaving.close();
    await eventually('the other stream is closed', async () => (await openNow()) === 0);
    first.resolve();
    const stream = await opening;
    await came(stream, 1);
    poll.resolve();
    await eventually('all notifications arrive', () => stream.lastId === 'n-11');
    expect(stream.dataOf<{ id: string }>('notification').map(({ id }) => id)).toEqual(['n-10', 'n-11']);
  });

  it('are refused with the error of the service, and then hold no lease', async () => {
    inbox.refusal = new ProblemError('UNAVAILABLE', {}, { headers: { 'retry-after': '3' } });
    const refused = await open();
    expect([refused.status, refused.headers['retry-after']]).toEqual([503, '3']);
    expect(await openNow()).toBe(0);
    inbox.refusal = null;
    for (let nth = 0; nth < 5; nth += 1) expect((await open()).status).toBe(200);
  });

  it('are limited to five, and a closed one releases its lease immediately', async () => {
    const streams = await Promise.all(Array.from({ length: 5 }, () => open()));
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const sixth = await open({ headers: { 'accept-language': 'zh' } });
    expect([sixth.status, sixth.headers['retry-after']]).toEqual([429, '10']);
    await sixth.ended;
    expect(JSON.parse(sixth.text)).toMatchObject({
      code: 'TOO_MANY_STREAMS',
      detail: '每个用户最多同时打开 5 个实时连接，请先关闭一个。',
    });
    streams[0]?.close();
    await eventually('a lease is free', async () => (await open()).status === 200);
  });

  it('replace the older stream of the same client and user, however many are opened at a time', async () => {
    const query = `?client=${randomUUID()}`;
    const other = await open({ query, claims: { sub: `${user}-other` } });
    const tabs = await Promise.all(Array.from({ length: 4 }, () => open()));
    // One that is replaced immediately may end before its headers.
    await Promise.all(Array.from({ length: 9 }, () => open({ query }).catch(() => null)));
    await eventually('one stream of the client is open', async () => (await openNow()) === 6);
    const newest = await open({ query });
    expect([newest.status, (await open()).status]).toEqual([200, 429]);
    await eventually('the older one is closed', async () => (await openNow()) === 6);
    inbox.add();
    of(`${user}-other`).add();
    for (const stream of [other, newest, ...tabs]) await came(stream, 3);
    newest.close();
    await eventually('its lease is free', async () => (await open()).status === 200);
  });

  it.each(['', 'x', '00000000-0000-4000-8000-00000000000'])('refuse "%s" as the id of a client', async (client) => {
    const refused = await open({ query: `?client=${client}` });
    await refused.ended;
    expect([refused.status, JSON.parse(refused.text)]).toMatchObject([
      400,
      { code: 'VALIDATION_FAILED', errors: [{ in: 'query', pointer: '/client' }] },
    ]);
  });

  it('end when the token expires, without the leeway of requests', async () => {
    const exp = nowS() + 2;
    const stream = await open({ claims: { exp } });
    expect(await stream.ended).toBe(true);
    expect(await came(stream, 2)).toEqual(['unread {"unread":0}', 'end {"reason":"token-expired"}']);
    expect(Date.now() / 1000).toBeGreaterThanOrEqual(exp);
    const late = await open({ claims: { exp: nowS() - 30 } });
    expect(await late.ended).toBe(true);
    expect(late.events.map(shown)).toEqual(['unread {"unread":0}', 'end {"reason":"token-expired"}']);
  });

  it('answer HEAD with their headers only', async () => {
    const head = await open({ method: 'HEAD' });
    expect([head.status, head.headers['content-type'], await head.ended]).toEqual([200, 'text/event-stream', true]);
    expect(inbox.queries).toEqual([]);
  });

  it('are logged once, when they end, and their length is not the duration of a request', async () => {
    const counted = async () =>
      (await metric('http_server_request_duration_seconds')).filter(
        ({ labels }) => labels.route === '/api/notifications/stream' && labels.status_code === 200,
      );
    const sumOf = async () =>
      (await counted()).filter((value) => /_sum$/.test((value as { metricName?: string }).metricName ?? ''))[0]?.value;
    const before = (await sumOf()) ?? 0;
    const askedAt = performance.now();
    const stream = await open();
    const openingMs = performance.now() - askedAt;
    await came(stream, 1);
    inbox.add();
    await came(stream, 3);
    const linesOf = () => gateway.lines.filter(({ actor }) => actor === user);
    expect(linesOf()).toEqual([]);
    stream.close();
    const lines = await eventually('the stream is logged', () => linesOf().length > 0 && linesOf());
    expect(lines).toEqual([
      expect.objectContaining({ route: '/api/notifications/stream', status: 200, method: 'GET', aborted: true }),
    ]);
    const added = ((await sumOf()) ?? NaN) - before;
    expect(added).toBeGreaterThan(0);
    expect(added).toBeLessThan(openingMs / 1000);
  });

  it('disconnect a client that does not read, which can continue from the last event that it read', async () => {
    inbox.add(1);
    const stream = await open({ reads: false, headers: { 'last-event-id': 'n-1' } });
    inbox.add(2_000, 'x'.repeat(12_000));
    await eventually('the client is disconnected', async () => (await openNow()) === 0);
    expect((await metric('live_streams_ended_total')).find(({ labels }) => labels.reason === 'slow')?.value).toBe(1);
    stream.read();
    expect(await stream.ended).toBe(false);
    const { lastId } = stream;
    const again = await open({ headers: { 'last-event-id': lastId ?? '' } });
    await eventually('the new stream has caught up', () => again.lastId === 'n-2001');
    const ids = [stream, again].flatMap((one) => one.dataOf<{ id: string }>('notification').map(({ id }) => id));
    expect(ids).toEqual(inbox.items.slice(1).map(({ notification }) => notification.id));
  });
});
