import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Message, type Notification, TOPICS } from '@po/contracts';
import { EventStream } from '@po/testing/event-stream';
import { eventually } from '@po/testing/eventually';
import { readStack } from '../support/stack.js';
import { type World, detailOf, openWorld } from './world.js';

describe('the conversation about an order', () => {
  const world = openWorld();
  let poRef: string;
  let path: string;
  const streams: EventStream[] = [];
  beforeEach(async () => {
    ({ poNumber: poRef } = await world.importOrder());
    path = `/purchase-orders/${poRef}/messages`;
  });
  afterEach(() => {
    for (const stream of streams.splice(0)) stream.close();
  });

  type User = Parameters<World['as']>[0];
  const open = async (user: User) => {
    const { gatewayUrl, tokens } = readStack();
    const stream = await EventStream.open({ gatewayUrl, token: tokens[user] });
    streams.push(stream);
    await eventually('the stream begins', () => stream.events.length > 0);
    return stream;
  };
  const post = async (user: User, request: object) => {
    const answer = await world.as(user).post<Message>(path, request);
    expect([answer.status, answer.headers.get('location')]).toEqual([201, `/api${path}/${answer.body.id}`]);
    return answer.body;
  };
  const listed = async (user: User) => {
    const { body, headers } = await world.as(user).get<Message[]>(path);
    return { ids: body.map(({ id }) => id), total: headers.get('x-total-count') };
  };
  const notifiedOf = async (user: User) => {
    const { body } = await world.as(user).get<Notification[]>('/notifications?kind=MESSAGE');
    return body.filter((notification) => notification.poRef === poRef).map(({ messageId }) => messageId);
  };

  it('returns a Location with the stored PO number for any letter case in the request', async () => {
    const written = `/purchase-orders/${poRef.toLowerCase()}/messages`;
    const { body, headers } = await world.as('buyer').post<Message>(written, { body: 'Any news?' });
    expect(headers.get('location')).toBe(`/api${path}/${body.id}`);
  });

  it('delivers a message by list, inbox, stream and topic without a new version of the order', async () => {
    const stream = await open('buyer');
    const { version } = await detailOf(world.as('admin'), poRef);
    const message = await post('vendor:ACME', { body: 'When do you need it?' });
    expect(await listed('buyer')).toEqual({ ids: [message.id], total: '1' });
    expect((await world.as('viewer').get<Message>(`${path}/${message.id}`)).body).toEqual(message);
    await eventually('the buyer is notified', async () => (await notifiedOf('buyer')).includes(message.id));
    const hints = () => stream.dataOf<{ poRef: string; messageId: string }>('message-posted');
    await eventually('the stream has the message', () => hints().some(({ messageId }) => messageId === message.id));
    const records = () => world.records(TOPICS.messages, poRef);
    await eventually('the message is published', async () => (await records()).length > 0);
    expect((await records())[0]).toMatchObject(message);
    expect(await detailOf(world.as('admin'), poRef)).toMatchObject({ version });
  });

  it('hides internal messages from the vendor in inbox and stream', async () => {
    const stream = await open('vendor:ACME');
    const hidden = await post('admin', {
      body: 'We could pay more.',
      visibility: 'internal',
      mentions: ['demo-viewer'],
    });
    await eventually('the viewer is notified', async () => (await notifiedOf('viewer')).includes(hidden.id));
    const shown = await post('buyer', { body: 'Please confirm.' });
    await eventually('the vendor is notified', async () => (await notifiedOf('vendor:ACME')).includes(shown.id));
    const hints = () => stream.dataOf<{ messageId: string }>('message-posted').map(({ messageId }) => messageId);
    await eventually('the stream has the message', () => hints().includes(shown.id));
    expect(hints()).not.toContain(hidden.id);
    expect(await notifiedOf('vendor:ACME')).toEqual([shown.id]);
  });
});
