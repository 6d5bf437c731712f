import { describe, expect, it } from '@jest/globals';
import { openApi } from '../openapi.js';
import { openApiBreaks } from './openapi.js';

/** JSON that a test changes at will. */
type Json = any;
type Change = (document: Json) => void;

const PROBLEM = 'application/problem+json';
const DOCUMENT = openApi();
const breaksOf = (change: Change): string[] => {
  const changed = JSON.parse(JSON.stringify(DOCUMENT)) as Json;
  change(changed);
  return openApiBreaks(DOCUMENT, changed as typeof DOCUMENT);
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
  ['a path that is gone', (d) => delete d.paths['/me'], /^GET \/me is gone$/],
  ['an operation that is gone', (d) => delete order(d).patch, /^PATCH \/purchase-orders\/\{poRef\} is gone$/],
  ['an operation of another name', (d) => (list(d).operationId = 'list'), /is called list now$/],
  [
    'a field of an answer that is gone',
    (d) => removeField(d, 'PurchaseOrderSummary', 'vendor'),
    /data\[\]\.vendor is gone$/,
  ],
  [
    'a field of an answer that is called otherwise',
    (d) => {
      schema(d, 'Notification').properties.headline = field(d, 'Notification', 'title');
      removeField(d, 'Notification', 'title');
    },
    /^GET \/notifications 200\[\]\.title is gone$/,
  ],
  [
    'a field of an answer that may be absent',
    (d) => remove(schema(d, 'Kpis').required, 'new'),
    /200\.new may be absent now$/,
  ],
  [
    'a field of an answer of another type',
    (d) => (field(d, 'Kpis', 'new').type = 'string'),
    /200\.new may be string now$/,
  ],
  [
    'a field of an answer that may be null',
    (d) => (field(d, 'LineItem', 'code').type = ['string', 'null']),
    /code may be null now$/,
  ],
  [
    'another format of an answer',
    (d) => (field(d, 'HistoryEntry', 'occurredAt').format = 'date'),
    /occurredAt has format/,
  ],
  [
    'a value that was always the same',
    (d) => (field(d, 'MarkedRead', 'success').const = false),
    /success was always true/,
  ],
  [
    'a list of other elements',
    (d) => (field(d, 'Filters', 'statuses').items.type = 'integer'),
    /statuses\[\] may be integer/,
  ],
  [
    'a field of a body that is required',
    (d) => schema(d, 'TransitionRequest').required.push('comment'),
    /request\.comment is required now$/,
  ],
  [
    'a new field of a body that is required',
    (d) => {
      schema(d, 'TransitionRequest').properties.reason = { type: 'string' };
      schema(d, 'TransitionRequest').required.push('reason');
    },
    /request\.reason is new and required$/,
  ],
  [
    'a field of a body that is gone',
    (d) => delete schema(d, 'HeaderPatch').properties.tracking_number,
    /request\.tracking_number is gone$/,
  ],
  [
    'a value of a body that is gone',
    (d) => remove(field(d, 'TransitionRequest', 'action').enum, 'RECALL'),
    /action may not be "RECALL"/,
  ],
  [
    'null that a body may not have',
    (d) => (field(d, 'LinePatch', 'vendorReplyQty').type = 'integer'),
    /vendorReplyQty may not be null/,
  ],
  [
    'a narrower range of a body',
    (d) => (field(d, 'LinePatch', 'vendorReplyQty').maximum = 99_999),
    /vendorReplyQty has maximum 99999/,
  ],
  [
    'shorter texts of a body',
    (d) => (field(d, 'HeaderPatch', 'container_number').maxLength = 20),
    /container_number has maxLength 20/,
  ],
  ['fewer elements of a body', (d) => (field(d, 'LinesPatch', 'lines').maxItems = 100), /lines has maxItems 100/],
  ['a pattern of a path', (d) => (parameter(order(d).get, 'poRef').schema.pattern = '^PO-'), /path poRef has pattern/],
  ['a parameter that is gone', (d) => list(d).parameters.shift(), /query status is gone$/],
  [
    'a parameter that is required',
    (d) => (parameter(list(d), 'search').required = true),
    /query search is required now$/,
  ],
  [
    'a new parameter that is required',
    (d) => list(d).parameters.push({ name: 'season', in: 'query', required: true, schema: { type: 'string' } }),
    /query season is new and required$/,
  ],
  [
    'another default',
    (d) => (parameter(list(d), 'limit').schema.default = 20),
    /query limit has default 20 instead of 50$/,
  ],
  [
    'another way to write a list',
    (d) => (parameter(list(d), 'status').explode = true),
    /query status is written in another way/,
  ],
  [
    'a request header that is gone',
    (d) => order(d).patch.parameters.splice(1, 1),
    /^PATCH .* header if-match is gone$/,
  ],
  ['a status that is gone', (d) => delete order(d).get.responses[304], /^GET .* 304 is gone$/],
  [
    'a second way to succeed',
    (d) => (order(d).patch.responses[202] = { description: '', headers: {} }),
    /202 is a new way to succeed$/,
  ],
  [
    'a code that is gone',
    (d) => d.components.responses.PoNotEditableOrIdempotencyInProgress.content[PROBLEM].schema.oneOf.pop(),
    /409 is never IDEMPOTENCY_IN_PROGRESS any more$/,
  ],
  [
    'a member of a problem that is gone',
    (d) => delete schema(d, 'VersionMismatchProblem').properties.currentVersion,
    /412\.currentVersion is gone$/,
  ],
  ['a header of an answer that is gone', (d) => delete list(d).responses[200].headers.Link, /200 header Link is gone$/],
  [
    'a header of an answer that may be absent',
    (d) => (d.components.headers.ETag.required = false),
    /header ETag may be absent now$/,
  ],
  [
    'a media type that is gone',
    (d) => {
      const { content } = list(d).responses[200];
      content['application/hal+json'] = content['application/json'];
      delete content['application/json'];
    },
    /200 application\/json is gone$/,
  ],
  [
    'another way to say who calls',
    (d) => (d.components.securitySchemes['X-User-Token'].name = 'Authorization'),
    /X-User-Token is gone or another one$/,
  ],
];

const COMPATIBLE: [what: string, change: Change][] = [
  ['nothing', () => undefined],
  ['a new operation', (d) => (d.paths['/vendors'] = { get: { ...list(d), operationId: 'listVendors' } })],
  [
    'a new field of an answer',
    (d) => {
      schema(d, 'Me').properties.team = { type: 'string' };
      schema(d, 'Me').required.push('team');
    },
  ],
  ['a new optional field of a body', (d) => (schema(d, 'HeaderPatch').properties.seal_number = { type: 'string' })],
  [
    'a new optional parameter',
    (d) => list(d).parameters.push({ name: 'season', in: 'query', required: false, schema: {} }),
  ],
  ['a new value that is answered: clients pass over it', (d) => field(d, 'HistoryEntry', 'action').enum.push('REOPEN')],
  ['a value that is answered no more', (d) => remove(field(d, 'HistoryEntry', 'action').enum, 'IMPORT')],
  ['a new value that may be sent', (d) => field(d, 'TransitionRequest', 'action').enum.push('REOPEN')],
  ['longer texts of a body', (d) => (field(d, 'HeaderPatch', 'container_number').maxLength = 200)],
  ['a body that may be null where it might not', (d) => (field(d, 'LinePatch', 'rowHash').type = ['string', 'null'])],
  ['an answer that is never null any more', (d) => (field(d, 'HistoryEntry', 'comment').type = 'string')],
  ['an answer of whole numbers', (d) => (field(d, 'PurchaseOrderSummary', 'totalQty').type = 'integer')],
  ['a new refusal', (d) => (list(d).responses[422] = { $ref: '#/components/responses/PoNotFound' })],
  [
    'a new code of a refusal',
    (d) => {
      const { content } = d.components.responses.PoNotFound;
      const { schema: before } = content[PROBLEM];
      const another = { $ref: '#/components/schemas/NotificationNotFoundProblem' };
      content[PROBLEM].schema = { oneOf: [before, another] };
    },
  ],
  ['a new header of an answer', (d) => (list(d).responses[200].headers.Age = { schema: { type: 'integer' } })],
  ['other words', (d) => (schema(d, 'Me').description = list(d).summary = d.info.description = 'Otherwise.')],
  [
    'a component of another name',
    (d) => {
      d.components.schemas.Somebody = schema(d, 'Me');
      d.paths['/me'].get.responses[200].content['application/json'].schema.$ref = '#/components/schemas/Somebody';
    },
  ],
];

describe('openApiBreaks', () => {
  it.each(BREAKING)('finds %s', (_what, change, place) => {
    const breaks = breaksOf(change);
    expect(breaks.length).toBeGreaterThan(0);
    expect(breaks).toContainEqual(expect.stringMatching(place));
  });

  it.each(COMPATIBLE)('lets pass %s', (_what, change) => {
    expect(breaksOf(change)).toEqual([]);
  });
});
