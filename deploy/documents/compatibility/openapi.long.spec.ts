import { describe, expect, it } from '@jest/globals';
import { openApi } from '../openapi.js';
import { openApiBreakingChanges } from './openapi.js';

/** Untyped JSON, so that tests can change it freely. */
type Json = any;
type Change = (document: Json) => void;

const PROBLEM = 'application/problem+json';
const DOCUMENT = openApi();
const breaksOf = (change: Change): string[] => {
  const changed = JSON.parse(JSON.stringify(DOCUMENT)) as Json;
  change(changed);
  return openApiBreakingChanges(DOCUMENT, changed as typeof DOCUMENT);
};

const order = (document: Json) => document.paths['/purchase-orders/{poRef}'];
const list = (document: Json) => document.paths['/purchase-orders'].get;
const schema = (document: Json, name: string) => document.components.schemas[name];
const field = (document: Json, name: string, property: string) => schema(document, name).properties[property];
const parameter = (operation: Json, name: string) => operation.parameters.find((one: Json) => one.name === name);
const removeField = (document: Json, name: string, property: string) => {
  const { properties, required } = schema(document, name);
  delete properties[property];
  required.splice(required.indexOf(property), 1);
};
const remove = (values: unknown[], value: unknown) => values.splice(values.indexOf(value), 1);

const BREAKING: [what: string, change: Change, place: RegExp][] = [
  ['a removed path', (d) => delete d.paths['/me'], /^GET \/me is gone$/],
  ['a removed operation', (d) => delete order(d).patch, /^PATCH \/purchase-orders\/\{poRef\} is gone$/],
  ['a renamed operation', (d) => (list(d).operationId = 'list'), /is now called list$/],
  ['a removed response field', (d) => removeField(d, 'PurchaseOrderSummary', 'vendor'), /data\[\]\.vendor is gone$/],
  [
    'a renamed response field',
    (d) => {
      schema(d, 'Notification').properties.headline = field(d, 'Notification', 'title');
      removeField(d, 'Notification', 'title');
    },
    /^GET \/notifications 200\[\]\.title is gone$/,
  ],
  [
    'a response field that became optional',
    (d) => remove(schema(d, 'Kpis').required, 'new'),
    /200\.new may be absent now$/,
  ],
  [
    'a response field with another type',
    (d) => (field(d, 'Kpis', 'new').type = 'string'),
    /200\.new may be string now$/,
  ],
  [
    'a response field that became nullable',
    (d) => (field(d, 'LineItem', 'code').type = ['string', 'null']),
    /code may be null now$/,
  ],
  [
    'a response field with another format',
    (d) => (field(d, 'HistoryEntry', 'occurredAt').format = 'date'),
    /occurredAt has format/,
  ],
  [
    'a response field with another constant value',
    (d) => (field(d, 'MarkedRead', 'success').const = false),
    /success was always true/,
  ],
  [
    'a response list with another element type',
    (d) => (field(d, 'Filters', 'statuses').items.type = 'integer'),
    /statuses\[\] may be integer/,
  ],
  [
    'a request field that became required',
    (d) => schema(d, 'TransitionRequest').required.push('comment'),
    /request\.comment is required now$/,
  ],
  [
    'a new required request field',
    (d) => {
      schema(d, 'TransitionRequest').properties.reason = { type: 'string' };
      schema(d, 'TransitionRequest').required.push('reason');
    },
    /request\.reason is new and required$/,
  ],
  [
    'a removed request field',
    (d) => delete schema(d, 'HeaderPatch').properties.tracking_number,
    /request\.tracking_number is gone$/,
  ],
  [
    'a removed enum value of a request field',
    (d) => remove(field(d, 'TransitionRequest', 'action').enum, 'RECALL'),
    /action may not be "RECALL"/,
  ],
  [
    'a request field that is no longer nullable',
    (d) => (field(d, 'LinePatch', 'vendorReplyQty').type = 'integer'),
    /vendorReplyQty may not be null/,
  ],
  [
    'a narrower range of a request field',
    (d) => (field(d, 'LinePatch', 'vendorReplyQty').maximum = 99_999),
    /vendorReplyQty has maximum 99999/,
  ],
  [
    'a lower maximum length of a request field',
    (d) => (field(d, 'HeaderPatch', 'container_number').maxLength = 20),
    /container_number has maxLength 20/,
  ],
  [
    'a lower maximum number of elements in a request list',
    (d) => (field(d, 'LinesPatch', 'lines').maxItems = 100),
    /lines has maxItems 100/,
  ],
  [
    'a new pattern of a path parameter',
    (d) => (parameter(order(d).get, 'poRef').schema.pattern = '^PO-'),
    /path poRef has pattern/,
  ],
  ['a removed parameter', (d) => list(d).parameters.shift(), /query status is gone$/],
  [
    'a parameter that became required',
    (d) => (parameter(list(d), 'search').required = true),
    /query search is required now$/,
  ],
  [
    'a new required parameter',
    (d) => list(d).parameters.push({ name: 'season', in: 'query', required: true, schema: { type: 'string' } }),
    /query season is new and required$/,
  ],
  [
    'a changed default of a parameter',
    (d) => (parameter(list(d), 'limit').schema.default = 20),
    /query limit has default 20 instead of 50$/,
  ],
  [
    'another serialization of a list parameter',
    (d) => (parameter(list(d), 'status').explode = true),
    /query status is serialized differently now/,
  ],
  ['a removed request header', (d) => order(d).patch.parameters.splice(1, 1), /^PATCH .* header if-match is gone$/],
  ['a removed status', (d) => delete order(d).get.responses[304], /^GET .* 304 is gone$/],
  [
    'a new success status',
    (d) => (order(d).patch.responses[202] = { description: '', headers: {} }),
    /202 is a new success status$/,
  ],
  [
    'a removed error code',
    (d) => d.components.responses.PoNotEditableOrIdempotencyInProgress.content[PROBLEM].schema.oneOf.pop(),
    /409 can no longer be IDEMPOTENCY_IN_PROGRESS$/,
  ],
  [
    'a removed member of a problem',
    (d) => delete schema(d, 'VersionMismatchProblem').properties.currentVersion,
    /412\.currentVersion is gone$/,
  ],
  ['a removed response header', (d) => delete list(d).responses[200].headers.Link, /200 header Link is gone$/],
  [
    'a response header that became optional',
    (d) => (d.components.headers.ETag.required = false),
    /header ETag may be absent now$/,
  ],
  [
    'a removed media type',
    (d) => {
      const { content } = list(d).responses[200];
      content['application/hal+json'] = content['application/json'];
      delete content['application/json'];
    },
    /200 application\/json is gone$/,
  ],
  [
    'a changed security scheme',
    (d) => (d.components.securitySchemes['X-User-Token'].name = 'Authorization'),
    /X-User-Token was removed or changed$/,
  ],
];

const COMPATIBLE: [what: string, change: Change][] = [
  ['an unchanged document', () => undefined],
  ['a new operation', (d) => (d.paths['/vendors'] = { get: { ...list(d), operationId: 'listVendors' } })],
  [
    'a new response field',
    (d) => {
      schema(d, 'Me').properties.team = { type: 'string' };
      schema(d, 'Me').required.push('team');
    },
  ],
  ['a new optional request field', (d) => (schema(d, 'HeaderPatch').properties.seal_number = { type: 'string' })],
  [
    'a new optional parameter',
    (d) => list(d).parameters.push({ name: 'season', in: 'query', required: false, schema: {} }),
  ],
  [
    'a new enum value of a response field, which clients ignore',
    (d) => field(d, 'HistoryEntry', 'action').enum.push('REOPEN'),
  ],
  ['a removed enum value of a response field', (d) => remove(field(d, 'HistoryEntry', 'action').enum, 'IMPORT')],
  ['a new enum value of a request field', (d) => field(d, 'TransitionRequest', 'action').enum.push('REOPEN')],
  ['a higher maximum length of a request field', (d) => (field(d, 'HeaderPatch', 'container_number').maxLength = 200)],
  ['a request field that became nullable', (d) => (field(d, 'LinePatch', 'rowHash').type = ['string', 'null'])],
  ['a response field that is no longer nullable', (d) => (field(d, 'HistoryEntry', 'comment').type = 'string')],
  ['a response number that became an integer', (d) => (field(d, 'PurchaseOrderSummary', 'totalQty').type = 'integer')],
  ['a new error status', (d) => (list(d).responses[422] = { $ref: '#/components/responses/PoNotFound' })],
  [
    'a new error code',
    (d) => {
      const { content } = d.components.responses.PoNotFound;
      const { schema: before } = content[PROBLEM];
      const another = { $ref: '#/components/schemas/NotificationNotFoundProblem' };
      content[PROBLEM].schema = { oneOf: [before, another] };
    },
  ],
  ['a new response header', (d) => (list(d).responses[200].headers.Age = { schema: { type: 'integer' } })],
  ['changed descriptions', (d) => (schema(d, 'Me').description = list(d).summary = d.info.description = 'Otherwise.')],
  [
    'a renamed component',
    (d) => {
      d.components.schemas.Somebody = schema(d, 'Me');
      d.paths['/me'].get.responses[200].content['application/json'].schema.$ref = '#/components/schemas/Somebody';
    },
  ],
];

describe('openApiBreakingChanges', () => {
  it.each(BREAKING)('reports %s', (_what, change, place) => {
    const breaks = breaksOf(change);
    expect(breaks.length).toBeGreaterThan(0);
    expect(breaks).toContainEqual(expect.stringMatching(place));
  });

  it.each(COMPATIBLE)('accepts %s', (_what, change) => {
    expect(breaksOf(change)).toEqual([]);
  });
});
