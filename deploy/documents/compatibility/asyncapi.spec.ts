import { describe, expect, it } from '@jest/globals';
import { type AsyncApiDocument, asyncApiBreakingChanges } from './asyncapi.js';

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
            poNumber: { type: 'string' },
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
        // A recursive schema: an order that is part of another order.
        parent: { anyOf: [{ $ref: '#/components/schemas/State' }, { type: 'null' }] },
      }),
    },
  },
});
type Sample = ReturnType<typeof sample>;

const breaksOf = (change: (document: Sample) => unknown): string[] => {
  const changed = sample();
  change(changed);
  return asyncApiBreakingChanges(sample() as AsyncApiDocument, changed as AsyncApiDocument);
};
// Untyped JSON, so that tests can change it freely.
const payloadOf = ({ components }: Sample): { properties: Record<string, unknown>; required: string[] } =>
  components.messages.Upserted.payload;
const stateOf = ({ components }: Sample): { properties: Record<string, unknown>; required: string[] } =>
  components.schemas.State;

describe('asyncApiBreakingChanges', () => {
  it.each<[string, (document: Sample) => unknown, string]>([
    ['a renamed topic', (d) => (d.channels.states.address = 'states.v2'), 'states.v1 send changed is gone'],
    ['a removed message', (d) => (d.operations.sendStates.messages = []), 'states.v1 send changed is gone'],
    [
      'a removed field of a sent message',
      (d) => delete stateOf(d).properties.poVersion,
      'changed payload.poVersion is gone',
    ],
    [
      'a changed header value',
      (d) => (d.components.messages.Changed.headers.properties = { ce_type: { const: 'moved' } }),
      'changed headers.ce_type was always "changed", and may be "moved" now',
    ],
    [
      'a changed content type',
      (d) => (d.components.messages.Changed.contentType = 'text/csv'),
      'changed is text/csv now',
    ],
    [
      'a received field that became required',
      (d) => payloadOf(d).required.push('season'),
      'upserted payload.season is required now',
    ],
    [
      'a higher minimum of a received number',
      (d) => (payloadOf(d).properties.price = { type: 'number', minimum: 1 }),
      'upserted payload.price has minimum 1 instead of none, which accepts less',
    ],
  ])('reports %s', (_what, change, sentence) => {
    expect(breaksOf(change)).toEqual([expect.stringContaining(sentence)]);
  });

  it.each<[string, (document: Sample) => unknown]>([
    ['an unchanged document', () => undefined],
    [
      'an additional sent status',
      (d) => (stateOf(d).properties.status = { type: 'string', enum: ['NEW', 'SHIPPED', 'HELD'] }),
    ],
    ['a received field that became optional', (d) => (payloadOf(d).required = [])],
    [
      'an exclusive minimum that became inclusive',
      (d) => (payloadOf(d).properties.price = { type: 'number', minimum: 0 }),
    ],
  ])('accepts %s', (_what, change) => {
    expect(breaksOf(change)).toEqual([]);
  });
});
