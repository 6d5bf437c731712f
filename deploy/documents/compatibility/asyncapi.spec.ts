import { describe, expect, it } from '@jest/globals';
import { breakingChanges } from './changes.js';

const object = (properties: Record<string, object>, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
});

const sample = () => ({
  asyncapi: '3.0.0',
  channels: {
    orders: { address: 'orders.v1', messages: { upserted: { $ref: '#/components/messages/Upserted' } } },
    states: { address: 'states.v1', messages: { changed: { $ref: '#/components/messages/Changed' } } },
  },
  operations: {
    takeOrders: { action: 'receive', channel: { $ref: '#/channels/orders' } },
    sendStates: {
      action: 'send',
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
            revision: { type: 'integer' },
            season: { type: 'string' },
            note: { type: 'string' },
            origin: { anyOf: [{ $ref: '#/components/schemas/Place' }, { type: 'null' }] },
            target: { $ref: '#/components/schemas/Place' },
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
      Place: object({ code: { type: 'string' } }),
      State: object({
        origin: { $ref: '#/components/schemas/Place' },
        poVersion: { type: 'integer' },
        status: { type: 'string', enum: ['NEW', 'SHIPPED'] },
        // A recursive schema: an order that is part of another order.
        parent: { anyOf: [{ $ref: '#/components/schemas/State' }, { type: 'null' }] },
      }),
    },
  },
});
type Sample = ReturnType<typeof sample>;

// Untyped JSON, so that tests can change it freely.
type Fields = { properties: Record<string, unknown>; required: string[] };
const payloadOf = ({ components }: Sample): Fields => components.messages.Upserted.payload;
const stateOf = ({ components }: Sample): Fields => components.schemas.State;

type Change = (document: Sample) => unknown;

const BREAKING: [what: string, change: Change, message: string][] = [
  ['a renamed topic', (d) => (d.channels.states.address = 'states.v2'), 'channels states address: '],
  [
    'a changed header value',
    (d) => (d.components.messages.Changed.headers.properties = { ce_type: { const: 'moved' } }),
    "Changed headers properties ce_type enum: Enum of `ce_type` gained values: 'moved'.",
  ],
  // What the command does not find by itself.
  [
    'a removed field of a received message',
    (d) => delete payloadOf(d).properties.note,
    'Upserted payload properties note: This part is gone.',
  ],
  [
    'a sent field that became nullable',
    (d) => (stateOf(d).properties.origin = { anyOf: [{ $ref: '#/components/schemas/Place' }, { type: 'null' }] }),
    'State properties origin anyOf 1: Alternative added: {"type":"null"}',
  ],
  [
    'a received field that is no longer nullable',
    (d) => (payloadOf(d).properties.origin = { $ref: '#/components/schemas/Place' }),
    'Upserted payload properties origin anyOf 1: Alternative removed: {"type":"null"}',
  ],
];

const COMPATIBLE: [what: string, change: Change, place: string][] = [
  [
    'an additional sent status',
    (d) => (stateOf(d).properties.status = { type: 'string', enum: ['NEW', 'SHIPPED', 'HELD'] }),
    'status',
  ],
  [
    'a received integer that is now marked as one of 64 bits',
    (d) => (payloadOf(d).properties.revision = { type: 'integer', format: 'int64' }),
    'revision',
  ],
  [
    'a sent field that is no longer nullable',
    (d) => (stateOf(d).properties.parent = { $ref: '#/components/schemas/State' }),
    'parent',
  ],
  [
    'a received field that became nullable',
    (d) => (payloadOf(d).properties.target = { anyOf: [{ $ref: '#/components/schemas/Place' }, { type: 'null' }] }),
    'target',
  ],
];

const breaksOf = (cases: [string, Change, string][]): Promise<string[]> => {
  const changed = sample();
  for (const [, change] of cases) change(changed);
  return breakingChanges(JSON.stringify(sample()), JSON.stringify(changed));
};
// One run of the command for each table, because a run takes a second.
const [BREAKS, FALSE_ALARMS] = await Promise.all([breaksOf(BREAKING), breaksOf(COMPATIBLE)]);

describe('the breaking changes between two AsyncAPI documents', () => {
  it.each(BREAKING)('contain %s', (_what, _change, message) => {
    expect(BREAKS).toContainEqual(expect.stringContaining(message));
  });

  it.each(COMPATIBLE)('do not contain %s', (_what, _change, place) => {
    expect(FALSE_ALARMS.filter((message) => message.includes(place))).toEqual([]);
  });

  it('contain nothing else', () => {
    expect(BREAKS).toHaveLength(BREAKING.length);
    expect(FALSE_ALARMS).toEqual([]);
  });
});
