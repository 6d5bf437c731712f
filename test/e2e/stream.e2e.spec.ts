import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Notification, STREAM_EVENTS } from '@po/contracts';
import { EventStream } from '@po/testing/event-stream';
import { type Api, apiClient } from '../support/api-client.js';
import { eventually } from '@po/testing/eventually';
import { readStack } from '../support/stack.js';
import { tokenOf } from '../support/tokens.js';
import { act, openWorld } from './world.js';

interface User {
  token: string;
  api: Api;
}

describe('the live stream', () => {
  const world = openWorld();
  let vendor: User;
  let buyer: User;
  let code: string;
  let streams: EventStream[];

  // A new vendor, which gets no notifications from other tests. Its buyer gets those of every buyer, also for orders of other tests.
  beforeEach(async () => {
    streams = [];
    code = `LIVE-${randomUUID().slice(0, 8)}`;
    vendor = await userOf('vendor:ACME', { sub: `v-${code}`, vendor_code: code });
    buyer = await userOf('buyer', { sub: `b-${code}`, email: `${code}@example.com` });
  });
  afterEach(() => {
    for (const stream of streams) stream.close();
  });

  const userOf = async (as: 'vendor:ACME' | 'buyer', claims: Record<string, unknown>): Promise<User> => {
    const token = await tokenOf(as, claims);
    return { token, api: apiClient(readStack().gatewayUrl, token) };
  };
  const open = async (token: string, lastId: string | null = null) => {
    const headers: Record<string, string> = lastId === null ? {} : { 'last-event-id': lastId };
    const stream = await EventStream.open({ gatewayUrl: readStack().gatewayUrl, token, headers });
    streams.push(stream);
    if (stream.status === 200) await eventually('the stream begins', () => stream.others.includes('retry: 1000'));
    return stream;
  };
  const importOrder = async () => {
    const email = `${code}@example.com`;
    const order = await world.importOrder({ vendor: { code, name: code }, buyer: { name: 'Dana', email } });
    return order.poNumber;
  };
  const isOurs = ({ vendor: name }: Notification) => name === code;
  const notifications = (stream: EventStream) => stream.dataOf<Notification>('notification').filter(isOurs);
  const actionsOf = (stream: EventStream) => notifications(stream).map(({ action }) => action);
  const unread = (stream: EventStream) => stream.dataOf<{ unread: number }>('unread').at(-1)?.unread;
  const versions = (stream: EventStream, poRef: string) =>
    stream
      .dataOf<{ poRef: string; version: number; statusId: number }>('po-changed')
      .filter((one) => one.poRef === poRef);
  const sees = (stream: EventStream, poRef: string, version: number, statusId: number) =>
    eventually(`the stream has version ${version}`, () => {
      const last = versions(stream, poRef).at(-1);
      return last?.version === version && last.statusId === statusId;
    });
  const inbox = async ({ api }: User) =>
    (await api.get<Notification[]>('/notifications')).body.filter(isOurs).toReversed();
  const unreadOf = async ({ api }: User) => Number((await api.get('/notifications')).headers.get('x-unread-count'));
  const expectDocumented = ({ events }: EventStream) => {
    for (const { name, data } of events) {
      expect(STREAM_EVENTS[name as keyof typeof STREAM_EVENTS].parse(data)).toEqual(data);
    }
  };

  it('shows the life of an order to its vendor and buyer as it happens, and nothing to another vendor', async () => {
    const [theirs, ours, other] = [
      await open(vendor.token),
      await open(buyer.token),
      await open(readStack().tokens['vendor:BOLT']),
    ];
    const tab = await open(vendor.token);
    const poRef = await importOrder();
    await eventually('the vendor is notified of the import', () => actionsOf(theirs).length === 1);
    await vendor.api.patch(`/purchase-orders/${poRef}`, { vendor_reply_xfd: '2027-03-15' });
    for (const stream of [theirs, ours, tab]) await sees(stream, poRef, 2, 100);
    await act(vendor.api, poRef, 'SUBMIT', 'fabric is late');
    await eventually('the buyer is notified', () => actionsOf(ours).length === 1);
    await act(buyer.api, poRef, 'REJECT', '太晚了');
    await act(vendor.api, poRef, 'SUBMIT');
    await act(buyer.api, poRef, 'APPROVE');
    for (const stream of [theirs, ours, tab]) await sees(stream, poRef, 6, 300);
    const expected: [EventStream, User, string[]][] = [
      [theirs, vendor, ['IMPORT', 'REJECT', 'APPROVE']],
      [tab, vendor, ['IMPORT', 'REJECT', 'APPROVE']],
      [ours, buyer, ['SUBMIT', 'SUBMIT']],
    ];
    for (const [stream, user, actions] of expected) {
      await eventually('all notifications are sent', () => actionsOf(stream).length === actions.length);
      expect([actionsOf(stream), notifications(stream)]).toEqual([actions, await inbox(user)]);
      await eventually('the unread count is right', async () => unread(stream) === (await unreadOf(user)));
      const sent = versions(stream, poRef).map(({ version }) => version);
      expect(sent).toEqual(sent.toSorted((one, another) => one - another));
      expectDocumented(stream);
    }
    expect(notifications(theirs)[1]).toMatchObject({ comment: '太晚了', poRef });
    expect(versions(other, poRef)).toEqual([]);
  });

  it('resumes after the last event of its client without loss or repetition while notifications arrive', async () => {
    const first = await open(vendor.token);
    const refs = await Promise.all(Array.from({ length: 4 }, importOrder));
    await eventually('the vendor is notified of the imports', () => notifications(first).length === refs.length);
    const seen = notifications(first).map(({ id }) => id);
    first.close();
    let over = false;
    const acting = Promise.all(
      refs.map(async (poRef) => {
        for (let round = 0; round < 6; round += 1) {
          await act(vendor.api, poRef, 'SUBMIT');
          await act(buyer.api, poRef, 'REJECT');
        }
      }),
    ).finally(() => (over = true));
    for (let nth = 1; !over; nth += 1) {
      const stream = await open(vendor.token, seen.at(-1));
      const wanted = nth % 4;
      await eventually('some notifications are sent', () => over || notifications(stream).length >= wanted);
      seen.push(...notifications(stream).map(({ id }) => id));
      stream.close();
      await stream.ended;
    }
    await acting;
    const last = await open(vendor.token, seen.at(-1));
    const count = refs.length * 7;
    await eventually('all notifications are sent', () => seen.length + notifications(last).length >= count);
    expect([...seen, ...notifications(last).map(({ id }) => id)]).toEqual((await inbox(vendor)).map(({ id }) => id));
  });
});
