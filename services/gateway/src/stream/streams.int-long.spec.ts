import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ALL_USERS, SIGNALS, TOPICS } from '@po/contracts';
import { userHash } from '@po/redis';
import { Redis } from 'ioredis';
import { EventStream } from '@po/testing/event-stream';
import { eventually } from '@po/testing/eventually';
import { type RunningGateway, runGateway } from '../fixtures/gateway.js';
import { fakeInboxes } from '../fixtures/fake-inboxes.js';
import { redisUrl } from '@po/testing/stores';
import { TcpProxy } from '@po/testing/tcp-proxy';

type Change = { poRef: string; version: number; statusId: number };

describe('live streams of two gateways', () => {
  let redis: Redis;
  let proxy: TcpProxy;
  let gateways: RunningGateway[];
  let inboxes: ReturnType<typeof fakeInboxes>;
  let streams: EventStream[];
  let run: string;

  beforeEach(async () => {
    run = randomUUID();
    redis = new Redis(redisUrl());
    proxy = await TcpProxy.to(new URL(redisUrl()));
    inboxes = fakeInboxes();
    const options = { services: [inboxes.Service], redisUrl: `redis://${proxy.address}` };
    gateways = await Promise.all([runGateway(options), runGateway(options)]);
    streams = [];
    await signalsRead();
  });
  afterEach(async () => {
    for (const stream of streams) stream.close();
    for (const gateway of gateways) await gateway.stop();
    redis.disconnect();
    await proxy.close();
  });

  const open = async (gateway: number, claims: Record<string, unknown> = {}, opening: object = {}) => {
    const { url: gatewayUrl, provider } = gateways[gateway] as RunningGateway;
    const token = provider.token({ sub: `u-${run}`, role: 'VENDOR', vendor_code: `A-${run}`, ...claims });
    const stream = await EventStream.open({ gatewayUrl, token, ...opening });
    streams.push(stream);
    await eventually('it begins', () => stream.status !== 200 || stream.others.length > 0 || 'reads' in opening);
    return stream;
  };
  const announced = (gateway: number) =>
    gateways[gateway]?.kafka.records(TOPICS.users).filter(({ key }) => key?.toString() === `u-${run}`).length;
  const moved = (users: string) => redis.xadd(SIGNALS.inboxes.key, '*', 'users', users);
  const change = (poRef: string, version: number, vendorCode: string, statusId = 200, id = '*') =>
    redis.xadd(
      SIGNALS.orders.key,
      id,
      'poRef',
      poRef,
      'version',
      version,
      'statusId',
      statusId,
      'vendorCode',
      vendorCode,
    );
  const changes = (stream: EventStream) =>
    stream
      .dataOf<Change>('po-changed')
      .filter(({ poRef }) => poRef.includes(run))
      .map(({ poRef, version, statusId }) => `${poRef.slice(0, 1)} ${version} ${statusId}`);
  /** Resolves when both gateways have read every signal sent so far. */
  const signalsRead = async () => {
    const vendor_code = `sync-${randomUUID()}`;
    const listening = await Promise.all([0, 1].map((gateway) => open(gateway, { sub: `sync-${run}`, vendor_code })));
    await eventually('both gateways read the signal', async () => {
      await change('PO-1', 1, vendor_code);
      return listening.every((stream) => stream.dataOf('po-changed').length > 0);
    });
    for (const stream of listening) stream.close();
  };
  const ids = (stream: EventStream) => stream.dataOf<{ id: string }>('notification').map(({ id }) => id);

  it('show a new notification in every tab as soon as it is signalled', async () => {
    const inbox = inboxes.of(`u-${run}`);
    const tabs = [await open(0), await open(0), await open(1)];
    const queriesBefore = inbox.queries.length;
    inbox.add(2);
    await moved(`${userHash('somebody')},${userHash(`u-${run}`)}`);
    for (const tab of tabs) await eventually('the tab is updated', () => tab.events.length === 4);
    for (const tab of tabs)
      expect([ids(tab), tab.dataOf('unread')]).toEqual([
        ['n-1', 'n-2'],
        [{ unread: 0 }, { unread: 2 }],
      ]);
    // One request per gateway.
    expect(inbox.queries.length - queriesBefore).toBe(2);
    inbox.unread = 0;
    await moved(userHash(`u-${run}`));
    for (const tab of tabs) await eventually('the count changes', () => tab.dataOf('unread').length === 3);
  });

  it('end when their user calls another gateway with a newer token for another role', async () => {
    const iat = Math.floor(Date.now() / 1_000) - 60;
    const call = (gateway: number, claims: Record<string, unknown>) => open(gateway, { sub: `u-${run}`, ...claims });
    const old = await open(0, { iat });
    const other = await open(0, { iat, sub: `v-${run}` });
    await call(1, { iat: iat + 1 });
    await signalsRead();
    expect(old.dataOf('end')).toEqual([]);
    await call(1, { iat: iat + 2, role: 'BUYER', vendor_code: undefined });
    expect(await old.ended).toBe(true);
    expect(old.dataOf('end')).toEqual([{ reason: 'token-expired' }]);
    expect(other.dataOf('end')).toEqual([]);
    // Another call with the older token ends no stream that a newer one opened.
    const newer = await open(1, { iat: iat + 2, role: 'BUYER', vendor_code: undefined });
    await call(0, { iat });
    await signalsRead();
    expect(newer.dataOf('end')).toEqual([]);
  });

  it('make a gateway announce a user again after another gateway announced newer claims', async () => {
    const iat = Math.floor(Date.now() / 1_000) - 60;
    const call = (gateway: number, claims: Record<string, unknown>) => open(gateway, { sub: `u-${run}`, ...claims });
    await call(0, { iat });
    await eventually('the user is announced', () => announced(0) === 1);
    await call(1, { iat: iat + 1, name: 'Another Name' });
    await signalsRead();
    await call(0, { iat: iat + 2 });
    await eventually('the user is announced again', () => announced(0) === 2);
  });

  it('make both gateways announce a deleted user on the next request', async () => {
    const sub = `u-${run}`;
    for (const gateway of [0, 0, 1]) await open(gateway);
    await eventually('each announced the user once', () => announced(0) === 1 && announced(1) === 1);
    await redis.xadd(SIGNALS.inboxes.key, '*', 'users', userHash(sub), 'deleted', userHash(sub));
    await signalsRead();
    for (const gateway of [0, 1, 1]) await open(gateway);
    await eventually('each announced the user again', () => announced(0) === 2 && announced(1) === 2);
    // Users who were deleted while Redis was unreachable are unknown.
    proxy.cut();
    proxy.restore();
    await signalsRead();
    for (const gateway of [0, 1]) (await open(gateway)).close();
    await eventually('each announced the user a third time', () => announced(0) === 3 && announced(1) === 3);
  });

  it('request the inbox of every user if the changed inboxes are unknown', async () => {
    const [one, other] = [await open(0), await open(1, { sub: `v-${run}` })];
    inboxes.of(`u-${run}`).add();
    inboxes.of(`v-${run}`).add();
    await moved(ALL_USERS);
    for (const stream of [one, other]) await eventually('the notification arrives', () => ids(stream).length === 1);
  });

  it('send a vendor its own orders and no internal messages, and an internal user all', async () => {
    const acme = await open(0);
    const inside = await open(1, { sub: `v-${run}`, role: 'VIEWER', vendor_code: `B-${run}` });
    const post = (messageId: string, ...more: string[]) => {
      const fields = ['posted', messageId, 'poRef', `1-${run}`, 'vendorCode', `A-${run}`, ...more];
      return redis.xadd(SIGNALS.inboxes.key, '*', ...fields);
    };
    await change(`2-${run}`, 7, `B-${run}`, 900);
    await change(`1-${run}`, 3, `A-${run}`, 300);
    await post('m-1', 'internal', 'true');
    await post('m-2');
    const messages = (stream: EventStream) =>
      stream.dataOf<{ messageId: string }>('message-posted').map(({ messageId }) => messageId);
    for (const stream of [acme, inside]) {
      await eventually('the order arrives', () => changes(stream).includes('1 3 300'));
      await eventually('the message arrives', () => messages(stream).includes('m-2'));
    }
    expect([changes(acme), messages(acme)]).toEqual([['1 3 300'], ['m-2']]);
    expect([changes(inside), messages(inside)]).toEqual([
      ['2 7 900', '1 3 300'],
      ['m-1', 'm-2'],
    ]);
  });

  it('hold changed orders back until the client has caught up, and then send the newest version', async () => {
    const inbox = inboxes.of(`u-${run}`);
    inbox.add(1_000, 'x'.repeat(12_000));
    const stream = await open(0, {}, { headers: { 'last-event-id': 'n-1' }, reads: false });
    const watching = await open(0, { sub: `w-${run}` });
    for (const version of [2, 3, 4]) {
      await change(`1-${run}`, version, `A-${run}`);
      await eventually('the change arrives', () => changes(watching).at(-1) === `1 ${version} 200`);
    }
    stream.read();
    await eventually('the change arrives', () => changes(stream).length > 0);
    expect(changes(stream)).toEqual(['1 4 200']);
    const names = stream.events.map(({ name }) => name);
    expect(names.indexOf('po-changed')).toBeGreaterThan(names.lastIndexOf('notification'));
    expect(ids(stream)).toHaveLength(999);
  });

  it('receive signals that were sent while their connection to Redis was broken', async () => {
    const stream = await open(0);
    const inbox = inboxes.of(`u-${run}`);
    proxy.cut();
    await change(`1-${run}`, 2, `A-${run}`);
    inbox.add();
    await eventually('the inbox is polled without a signal', () => ids(stream).length === 1);
    proxy.restore();
    await eventually('the change arrives later', () => changes(stream).length === 1);
    inbox.add();
    await moved(userHash(`u-${run}`));
    await eventually('the next notification arrives', () => ids(stream).length === 2);
    expect([changes(stream), ids(stream)]).toEqual([['1 2 200'], ['n-1', 'n-2']]);
  });

  it('continue after Redis lost its data, also if its clock is behind', async () => {
    const stream = await open(0);
    for (const id of ['*', '5-1']) {
      proxy.cut();
      await redis.del(SIGNALS.orders.key, SIGNALS.inboxes.key);
      await change(`1-${run}`, id === '*' ? 2 : 3, `A-${run}`, 200, id);
      proxy.restore();
      await eventually('the change arrives', () => changes(stream).length === (id === '*' ? 1 : 2));
    }
    expect(changes(stream)).toEqual(['1 2 200', '1 3 200']);
  });

  it('receive the changes of the last minute, and no older ones, after Redis lost its newest entries', async () => {
    const stream = await open(0);
    const [last] = await redis.xrevrange(SIGNALS.orders.key, '+', '-', 'COUNT', 1);
    const readUpTo = Number.parseInt(last?.[0] ?? '', 10);
    proxy.cut();
    await redis.del(SIGNALS.orders.key);
    for (const [poRef, ageMs] of Object.entries({ 1: 70_000, 2: 50_000, 3: 1 }))
      await change(`${poRef}-${run}`, 2, `A-${run}`, 200, `${readUpTo - ageMs}-0`);
    proxy.restore();
    await eventually('the last change arrives', () => changes(stream).includes('3 2 200'));
    expect(changes(stream)).toEqual(['2 2 200', '3 2 200']);
  });

  it('miss nothing that is signalled while they are being opened, whatever other tabs received', async () => {
    const inbox = inboxes.of(`u-${run}`);
    for (const others of [0, 1]) {
      const tabs = await Promise.all(Array.from({ length: others }, () => open(0)));
      const watching = await open(0, { sub: `w-${run}` });
      const release = Promise.withResolvers<void>();
      const [queriesBefore, items] = [inbox.queries.length, inbox.items.length];
      inbox.held = release.promise;
      const opening = open(0);
      await eventually('the inbox is requested', () => inbox.queries.length === queriesBefore + 1);
      inbox.held = null;
      const added = inbox.add();
      await moved(userHash(`u-${run}`));
      await change(`1-${run}`, 2, `A-${run}`);
      await eventually('the change arrives', () => changes(watching).length === 1);
      for (const tab of tabs) await eventually('another tab is updated', () => ids(tab).length === 1);
      release.resolve();
      const stream = await opening;
      await eventually('the notification arrives', () => ids(stream).length === 1);
      expect([ids(stream), stream.dataOf('unread')]).toEqual([added, [{ unread: items }, { unread: items + 1 }]]);
    }
  });

  it('send a tab nothing from before it was opened, also if other tabs receive it only now', async () => {
    const inbox = inboxes.of(`u-${run}`);
    const early = await open(0);
    inbox.add(2);
    const late = await open(0);
    inbox.add();
    await moved(userHash(`u-${run}`));
    await eventually('the early tab is updated', () => ids(early).length === 3);
    await eventually('the late tab is updated', () => ids(late).length > 0);
    expect([ids(early), ids(late)]).toEqual([['n-1', 'n-2', 'n-3'], ['n-3']]);
  });
});
