import { describe, expect, it } from '@jest/globals';
import { openApi } from '../openapi.js';
import { breakingChanges } from './changes.js';

/** Untyped JSON, so that tests can change it freely. */
type Json = any;
type Change = (document: Json) => void;

const PROBLEM = 'application/problem+json';
const DOCUMENT: Json = JSON.parse(JSON.stringify(openApi()));

const order = (document: Json) => document.paths['/purchase-orders/{poRef}'];
const list = (document: Json) => document.paths['/purchase-orders'].get;
const notifications = (document: Json) => document.paths['/notifications'].get;
const events = (document: Json) =>
  document.paths['/notifications/stream'].get.responses[200].content['text/event-stream'].schema.contentSchema.anyOf;
const schema = (document: Json, name: string) => document.components.schemas[name];
const field = (document: Json, name: string, property: string) => schema(document, name).properties[property];
const parameter = (operation: Json, name: string) => operation.parameters.find((one: Json) => one.name === name);
const remove = (values: unknown[], value: unknown) => values.splice(values.indexOf(value), 1);

const BREAKING: [what: string, change: Change, message: string][] = [
  ['a removed path', (d) => delete d.paths['/me'], 'paths /me: '],
  [
    'a response field with another constant value',
    (d) => (field(d, 'MarkedRead', 'success').const = false),
    'MarkedRead properties success enum: ',
  ],
  [
    'a removed parameter',
    (d) => remove(notifications(d).parameters, parameter(notifications(d), 'unread')),
    'parameters unread: ',
  ],
  [
    'a changed default of a parameter',
    (d) => (parameter(list(d), 'limit').schema.default = 20),
    'parameters limit schema default: It was 50.',
  ],
  [
    'a new success status',
    (d) => (order(d).patch.responses[202] = { description: '', headers: {} }),
    'patch responses 202: ',
  ],
  [
    'a removed error code',
    (d) => d.components.responses.PoNotEditableOrIdempotencyInProgress.content[PROBLEM].schema.oneOf.pop(),
    'removed: {"$ref":"#/components/schemas/IdempotencyInProgressProblem"}',
  ],
  [
    'a response header that became optional',
    (d) => (d.components.headers.ETag.required = false),
    'headers ETag required: ',
  ],
  ['a removed status of any other path', (d) => delete d['x-other-paths'][404], 'any other path get responses 404: '],
];

const COMPATIBLE: [what: string, change: Change, place: string][] = [
  [
    'a new enum value of a response field, which clients ignore',
    (d) => field(d, 'HistoryEntry', 'action').enum.push('REOPEN'),
    'HistoryEntry properties action',
  ],
  [
    'a new error status',
    (d) => (list(d).responses[422] = { $ref: '#/components/responses/PoNotFound' }),
    'responses 422',
  ],
  [
    'a new error code',
    (d) => {
      const content = d.components.responses.PoNotFound.content[PROBLEM];
      content.schema = { oneOf: [content.schema, { $ref: '#/components/schemas/NotificationNotFoundProblem' }] };
    },
    'anyOf',
  ],
  [
    'a new event',
    (d) => events(d).push({ type: 'object', properties: { event: { const: 'changed' } }, required: ['event'] }),
    'contentSchema',
  ],
  [
    'changed descriptions',
    (d) => (schema(d, 'Me').description = list(d).summary = d.info.description = 'Otherwise.'),
    'description',
  ],
  [
    'a renamed component',
    (d) => {
      d.components.schemas.Numbers = schema(d, 'Kpis');
      d.paths['/dashboard/kpis'].get.responses[200].content['application/json'].schema.$ref =
        '#/components/schemas/Numbers';
    },
    'Numbers',
  ],
];

const breaksOf = (cases: typeof BREAKING): Promise<string[]> => {
  const changed: Json = structuredClone(DOCUMENT);
  for (const [, change] of cases) change(changed);
  return breakingChanges(JSON.stringify(DOCUMENT), JSON.stringify(changed));
};
// One run of the command for each table, because a run takes a second.
const [BREAKS, FALSE_ALARMS] = await Promise.all([breaksOf(BREAKING), breaksOf(COMPATIBLE)]);

describe('the breaking changes between two OpenAPI documents', () => {
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
