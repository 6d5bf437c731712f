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
const removeField = (document: Json, name: string, property: string) => {
  const { properties, required } = schema(document, name);
  delete properties[property];
  required.splice(required.indexOf(property), 1);
};
const remove = (values: unknown[], value: unknown) => values.splice(values.indexOf(value), 1);

const BREAKING: [what: string, change: Change, message: string][] = [
  ['a removed path', (d) => delete d.paths['/me'], 'paths /me: '],
  ['a removed operation', (d) => delete d.paths['/views/{id}'].delete, 'paths /views/{id} delete: '],
  ['a renamed operation', (d) => (list(d).operationId = 'list'), 'paths /purchase-orders get operationId: '],
  [
    'a removed response field',
    (d) => removeField(d, 'PurchaseOrderSummary', 'vendor'),
    'PurchaseOrderSummary properties vendor: ',
  ],
  [
    'a renamed response field',
    (d) => {
      schema(d, 'Notification').properties.headline = field(d, 'Notification', 'title');
      removeField(d, 'Notification', 'title');
    },
    'Notification properties title: ',
  ],
  [
    'a response field that became optional',
    (d) => remove(schema(d, 'Kpis').required, 'new'),
    '`Kpis` are no longer required: `new`.',
  ],
  [
    'a response field with another type',
    (d) => (field(d, 'Kpis', 'new').type = 'string'),
    'Kpis properties new type: ',
  ],
  [
    'a response field that became nullable',
    (d) => (field(d, 'LineItem', 'code').type = ['string', 'null']),
    'LineItem properties code type: ',
  ],
  [
    'a response field with another format',
    (d) => (field(d, 'HistoryEntry', 'occurredAt').format = 'date'),
    'occurredAt format: ',
  ],
  [
    'a response field with another constant value',
    (d) => (field(d, 'MarkedRead', 'success').const = false),
    'MarkedRead properties success enum: ',
  ],
  [
    'a response list with another element type',
    (d) => (field(d, 'Filters', 'statuses').items.type = 'integer'),
    'statuses items type: ',
  ],
  [
    'a request field that became required',
    (d) => schema(d, 'TransitionRequest').required.push('comment'),
    '`TransitionRequest` became required: `comment`.',
  ],
  [
    'a new required request field',
    (d) => {
      schema(d, 'MessageRequest').properties.reason = { type: 'string' };
      schema(d, 'MessageRequest').required.push('reason');
    },
    '`MessageRequest` became required: `reason`.',
  ],
  ['a removed request field', (d) => delete schema(d, 'HeaderPatch').properties.tracking_number, 'tracking_number: '],
  [
    'a removed enum value of a request field',
    (d) => remove(field(d, 'TransitionRequest', 'action').enum, 'RECALL'),
    "Enum of `action` lost values: 'RECALL'.",
  ],
  [
    'a request field that is no longer nullable',
    (d) => (field(d, 'LinePatch', 'vendorReplyQty').type = 'integer'),
    'vendorReplyQty type: ',
  ],
  [
    'a narrower range of a request field',
    (d) => (field(d, 'LinePatch', 'vendorReplyQty').maximum = 99_999),
    'vendorReplyQty maximum: ',
  ],
  [
    'a lower maximum length of a request field',
    (d) => (field(d, 'HeaderPatch', 'container_number').maxLength = 20),
    'container_number maxLength: ',
  ],
  [
    'a lower maximum number of elements in a request list',
    (d) => (field(d, 'LinesPatch', 'lines').maxItems = 100),
    'LinesPatch properties lines maxItems: ',
  ],
  [
    'a new pattern of a path parameter',
    (d) => (parameter(order(d).get, 'poRef').schema.pattern = '^PO-'),
    'paths /purchase-orders/{poRef} get parameters poRef schema pattern: ',
  ],
  [
    'a removed parameter',
    (d) => remove(notifications(d).parameters, parameter(notifications(d), 'unread')),
    'parameters unread: ',
  ],
  [
    'a parameter that became required',
    (d) => (parameter(list(d), 'search').required = true),
    'parameters search required: ',
  ],
  [
    'a new required parameter',
    (d) => list(d).parameters.push({ name: 'season', in: 'query', required: true, schema: { type: 'string' } }),
    'parameters season: ',
  ],
  [
    'a changed default of a parameter',
    (d) => (parameter(list(d), 'limit').schema.default = 20),
    'parameters limit schema default: It was 50.',
  ],
  [
    'another serialization of a list parameter',
    (d) => (parameter(list(d), 'status').explode = true),
    'parameters status explode: ',
  ],
  ['a removed request header', (d) => order(d).patch.parameters.splice(1, 1), 'patch parameters 1: `If-Match` header'],
  ['a removed status', (d) => delete order(d).get.responses[304], 'get responses 304: '],
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
    'a removed member of a problem',
    (d) => delete schema(d, 'VersionMismatchProblem').properties.currentVersion,
    'properties currentVersion: ',
  ],
  ['a removed response header', (d) => delete list(d).responses[200].headers.Link, 'get responses 200 headers Link: '],
  [
    'a response header that became optional',
    (d) => (d.components.headers.ETag.required = false),
    'headers ETag required: ',
  ],
  [
    'a removed media type',
    (d) => {
      const { content } = list(d).responses[200];
      content['application/hal+json'] = content['application/json'];
      delete content['application/json'];
    },
    'Media type `application/json` became `application/hal+json`.',
  ],
  [
    'a changed security scheme',
    (d) => (d.components.securitySchemes['X-User-Token'].name = 'Authorization'),
    'securitySchemes X-User-Token name: ',
  ],
  ['a removed status of any other path', (d) => delete d['x-other-paths'][404], 'any other path get responses 404: '],
];

const COMPATIBLE: [what: string, change: Change, place: string][] = [
  [
    'a new operation',
    (d) => (d.paths['/vendors'] = { get: { ...list(d), operationId: 'listVendors' } }),
    'paths /vendors',
  ],
  [
    'a new response field',
    (d) => {
      schema(d, 'Me').properties.team = { type: 'string' };
      schema(d, 'Me').required.push('team');
    },
    'schemas Me',
  ],
  [
    'a new optional request field',
    (d) => (schema(d, 'HeaderPatch').properties.seal_number = { type: 'string' }),
    'seal_number',
  ],
  ['a new optional parameter', (d) => list(d).parameters.push({ name: 'season', in: 'query', schema: {} }), 'season'],
  [
    'a new enum value of a response field, which clients ignore',
    (d) => field(d, 'HistoryEntry', 'action').enum.push('REOPEN'),
    'HistoryEntry properties action',
  ],
  ['a removed enum value of a response field', (d) => field(d, 'Activity', 'action').enum.pop(), 'Activity'],
  [
    'a new enum value of a request field',
    (d) => field(d, 'TransitionRequest', 'action').enum.push('REOPEN'),
    'TransitionRequest',
  ],
  [
    'a higher maximum length of a request field',
    (d) => (field(d, 'HeaderPatch', 'container_number').maxLength = 200),
    'container_number',
  ],
  [
    'a request field that became nullable',
    (d) => (field(d, 'LinePatch', 'rowHash').type = ['string', 'null']),
    'rowHash',
  ],
  [
    'a response field that is no longer nullable',
    (d) => (field(d, 'HistoryEntry', 'comment').type = 'string'),
    'HistoryEntry properties comment',
  ],
  [
    'a response number that became an integer',
    (d) => (field(d, 'PurchaseOrderSummary', 'totalQty').type = 'integer'),
    'totalQty',
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
    'a new response header',
    (d) => (list(d).responses[200].headers.Age = { schema: { type: 'integer' } }),
    'headers Age',
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

  it('contain nothing of what is unchanged', () => {
    // The removed and the renamed response field are also no longer required.
    expect(BREAKS).toHaveLength(BREAKING.length + 2);
    expect(FALSE_ALARMS).toEqual([]);
  });
});
