import { describe, expect, it } from '@jest/globals';
import { type AsyncApiDocument, asyncApiBreaks } from './asyncapi.js';

const object = (properties: Record<string, object>, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
});

const sample = () => ({
  channels: {
    orders: { address: 'orders.v1', messages: { upserted: { $ref: '#/components/messages/Upserted' } } },
    states: { address: 'states.v1', messages: { changed: { $ref: '#/components/messages/Changed' } } },
  },
  operations: {
    takeOrders: { action: 'receive' as const, channel: { $ref: '#/channels/orders' } },
    sendStates: {
      action: 'send' as const,
      channel: { $ref: '#/channels/states' },
      messages: [{ $ref: '#/channels/states/messages/changed' }],
    },
  },
  components: {
    messages: {
      Upserted: {
        name: 'upserted',
        headers: object({ type: { const: 'upserted' } }),
        payload: object(
          {
            poNumber: { type: 'string', maxLength: 40 },
            price: { type: 'number', exclusiveMinimum: 0 },
            season: { type: 'string' },
          },
          ['poNumber'],
        ),
      },
      Changed: {
        name: 'changed',
        contentType: 'application/json',
        headers: object({ ce_type: { const: 'changed' } }),
        payload: { $ref: '#/components/schemas/State' },
      },
    },
    schemas: {
      State: object({
        poVersion: { type: 'integer' },
        status: { type: 'string', enum: ['NEW', 'SHIPPED'] },
        // An order that is part of another one: a schema may refer to itself.
        parent: { anyOf: [{ $ref: '#/components/schemas/State' }, { type: 'null' }] },
      }),
    },
  },
});
type Sample = ReturnType<typeof sample>;

const breaksOf = (change: (document: Sample) => unknown): string[] => {
  const changed = sample();
  change(changed);
  return asyncApiBreaks(sample() as AsyncApiDocument, changed as AsyncApiDocument);
};
// JSON that a test changes at will.
const payloadOf = ({ components }: Sample): { properties: Record<string, unknown>; required: string[] } =>
  components.messages.Upserted.payload;
const stateOf = ({ components }: Sample): { properties: Record<string, unknown>; required: string[] } =>
  components.schemas.State;

describe('asyncApiBreaks', () => {
  it.each<[string, (document: Sample) => unknown, string]>([
    ['a topic of another name', (d) => (d.channels.states.address = 'states.v2'), 'states.v1 send changed is gone'],
    ['a message that is gone', (d) => (d.operations.sendStates.messages = []), 'states.v1 send changed is gone'],
    [
      'a field that is sent no more',
      (d) => delete stateOf(d).properties.poVersion,
      'changed payload.poVersion is gone',
    ],
    ['a field that may be absent', (d) => stateOf(d).required.shift(), 'changed payload.poVersion may be absent now'],
    [
      'another type',
      (d) => (stateOf(d).properties.poVersion = { type: 'string' }),
      'payload.poVersion may be string now',
    ],
    [
      'another header',
      (d) => (d.components.messages.Changed.headers.properties = { ce_type: { const: 'moved' } }),
      'changed headers.ce_type was always "changed", and may be "moved" now',
    ],
    ['another format', (d) => (d.components.messages.Changed.contentType = 'text/csv'), 'changed is text/csv now'],
    [
      'a field that must be sent',
      (d) => payloadOf(d).required.push('season'),
      'upserted payload.season is required now',
    ],
    [
      'a shorter text',
      (d) => (payloadOf(d).properties.poNumber = { type: 'string', maxLength: 20 }),
      'upserted payload.poNumber has maxLength 20 instead of 40, which takes less',
    ],
    [
      'a higher bound',
      (d) => (payloadOf(d).properties.price = { type: 'number', minimum: 1 }),
      'upserted payload.price has minimum 1 instead of none, which takes less',
    ],
  ])('finds %s', (_what, change, sentence) => {
    expect(breaksOf(change)).toEqual([expect.stringContaining(sentence)]);
  });

  it.each<[string, (document: Sample) => unknown]>([
    ['nothing', () => undefined],
    ['a field more that is sent', (d) => (stateOf(d).properties.season = { type: 'string' })],
    ['a status more', (d) => (stateOf(d).properties.status = { type: 'string', enum: ['NEW', 'SHIPPED', 'HELD'] })],
    ['a field more that may be sent', (d) => (payloadOf(d).properties.brand = { type: 'string' })],
    ['a field that need not be sent any more', (d) => (payloadOf(d).required = [])],
    ['a number that may be its bound', (d) => (payloadOf(d).properties.price = { type: 'number', minimum: 0 })],
    ['a longer text', (d) => (payloadOf(d).properties.poNumber = { type: 'string', maxLength: 80 })],
  ])('lets pass %s', (_what, change) => {
    expect(breaksOf(change)).toEqual([]);
  });
});
