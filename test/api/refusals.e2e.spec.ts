import { beforeAll, describe, expect, it } from '@jest/globals';
import { ERRORS, type ErrorCode } from '@po/contracts';
import { type World, act, footprint, openWorld } from '../e2e/world.js';
import { type DemoUser, readStack } from '../support/stack.js';
import { type ApiRequest, sendAndCheck } from './send.js';

interface Problem {
  code: string;
  errors?: { in: string; pointer: string }[];
  [member: string]: unknown;
}

const ORDER = '/purchase-orders/{new}';
const patch = (body: unknown, path = ORDER): ApiRequest => ({ method: 'PATCH', path, body });
const patchLines = (...lines: object[]): ApiRequest => patch({ lines }, `${ORDER}/line-items`);
const transition = (action: string, headers = {}): ApiRequest => ({
  method: 'POST',
  path: `${ORDER}/transition`,
  body: { action },
  headers,
});
const postView = (fields: object): ApiRequest => ({
  method: 'POST',
  path: '/views',
  body: { name: 'x', ...fields },
});
const get = (path: string): ApiRequest => ({ method: 'GET', path });
const PREFERENCES = { locale: 'en', timeZone: 'UTC', mail: { TRANSITION: 'off', MESSAGE: 'off', REMINDER: 'off' } };

type Refusal = readonly [what: string, user: DemoUser, request: ApiRequest, pointer?: string];
/** Refused requests by problem code. `pointer` is the JSON Pointer of the only wrong value, if there is one. */
const REFUSALS: Partial<Record<ErrorCode, readonly Refusal[]>> = {
  VALIDATION_FAILED: [
    ['an unknown field', 'vendor:ACME', patch({ vendor_reply_xfdd: '2027-01-01' }), '/vendor_reply_xfdd'],
    ['a date that does not exist', 'vendor:ACME', patch({ vendor_reply_xfd: '2027-02-30' }), '/vendor_reply_xfd'],
    ['an empty patch', 'vendor:ACME', patch({}), ''],
    [
      'a comment that is too long',
      'vendor:ACME',
      patch({ vendor_reply_comment: 'x'.repeat(2001) }),
      '/vendor_reply_comment',
    ],
    ['a __proto__ key', 'vendor:ACME', patch('{"__proto__":{"x":1}}'), '/__proto__'],
    [
      'a fractional quantity',
      'vendor:ACME',
      patchLines({ rowHash: 'nope', vendorReplyQty: 1.5 }),
      '/lines/0/vendorReplyQty',
    ],
    ['no lines', 'vendor:ACME', patchLines(), '/lines'],
    ['an unknown action', 'vendor:ACME', transition('IMPORT'), '/action'],
    ['a page that is not a number', 'buyer', get('/purchase-orders?page=x'), '/page'],
    ['a repeated parameter', 'buyer', get('/purchase-orders?page=1&page=2'), '/page'],
    ['an unknown sort field', 'buyer', get('/purchase-orders?sortField=secret'), '/sortField'],
    ['an unknown kind', 'buyer', get('/notifications?kind=TRANSITION,NEWS'), '/kind'],
    ['a view with an unknown parameter', 'viewer', postView({ query: { serch: 'x' } }), '/query/serch'],
    ['a view with a page that is not a number', 'buyer', postView({ query: { page: 'x' } }), '/query/page'],
    ['incomplete preferences', 'buyer', { method: 'PUT', path: '/me/preferences', body: PREFERENCES }, '/digestAt'],
    ['an empty kind', 'buyer', get('/notifications?kind='), '/kind'],
    ['a missing parameter', 'buyer', get('/lookups/actions?statusId=100'), '/role'],
  ],
  VALUE_OUT_OF_RANGE: [
    ['a date before the order date', 'vendor:ACME', patch({ vendor_reply_xfd: '2025-01-01' }), '/vendor_reply_xfd'],
  ],
  ROW_NOT_FOUND: [
    ['an unknown row', 'vendor:ACME', patchLines({ rowHash: 'nope', vendorReplyQty: 1 }), '/lines/0/rowHash'],
  ],
  ROLE_NOT_ALLOWED: [
    ['an action that this role never has', 'vendor:ACME', transition('APPROVE')],
    ['a write by a viewer', 'viewer', transition('SUBMIT')],
    ['a reply by a buyer', 'buyer', patch({ vendor_reply_comment: 'x' })],
  ],
  TRANSITION_NOT_ALLOWED: [['an action that this status does not allow', 'buyer', transition('APPROVE')]],
  PO_NOT_EDITABLE: [
    ['an edit of a submitted order', 'vendor:ACME', patch({ container_number: 'x' }, '/purchase-orders/{submitted}')],
  ],
  VERSION_MISMATCH: [['a stale version', 'vendor:ACME', transition('SUBMIT', { 'if-match': '"99"' })]],
  PO_NOT_FOUND: [
    ['an unknown order', 'buyer', get('/purchase-orders/E2E-NONE')],
    ['a blank order reference', 'buyer', get('/purchase-orders/%20%20')],
  ],
  NOTIFICATION_NOT_FOUND: [['an unknown notification', 'buyer', { method: 'PUT', path: '/notifications/none/read' }]],
  VIEW_NOT_FOUND: [['an unknown view', 'buyer', { method: 'DELETE', path: '/views/none' }]],
  ROUTE_NOT_FOUND: [['an unknown route', 'buyer', get('/nothing-here')]],
  METHOD_NOT_ALLOWED: [['a method that the route does not support', 'buyer', { method: 'PUT', path: ORDER, body: {} }]],
};
const cases = Object.entries(REFUSALS).flatMap(([code, refusals]) =>
  // Each row has five values, because jest passes a callback to a test with more parameters than values.
  refusals.map(([what, user, request, pointer = null]) => [what, code as ErrorCode, user, request, pointer] as const),
);

describe('the API', () => {
  let world: World;
  const orders: Record<string, string> = {};

  beforeAll(async () => {
    world = openWorld();
    orders['new'] = (await world.importOrder()).poNumber;
    orders['submitted'] = (await world.importOrder()).poNumber;
    await act(world.as('vendor:ACME'), orders['submitted'], 'SUBMIT');
  });

  /** Sends a request as a user. `{new}` and `{submitted}` in its path stand for the two orders. */
  const askAs = async (user: DemoUser, { path, ...request }: ApiRequest) => {
    const filled = path.replaceAll(/\{(\w+)\}/g, (_match, name: string) => orders[name] ?? '');
    const { body, ...answer } = await sendAndCheck({ ...request, path: filled }, readStack().tokens[user]);
    return { ...answer, body: body as Problem };
  };
  const footprints = () => Promise.all(Object.values(orders).map((poRef) => footprint(world.as('admin'), poRef)));

  it.each(cases)('refuses %s with %s and changes nothing', async (_what, code, user, request, pointer) => {
    const before = await footprints();
    const { status, headers, body } = await askAs(user, request);
    expect([status, body.code]).toEqual([ERRORS[code].status, code]);
    expect(headers.get('content-type')).toMatch(/^application\/problem\+json/);
    expect(body).toMatchObject({
      status,
      success: false,
      type: `/problems/${code.toLowerCase().replaceAll('_', '-')}`,
      message: body['detail'],
      requestId: headers.get('x-request-id'),
    });
    expect((body.errors ?? []).map((error) => error.pointer)).toEqual(pointer === null ? [] : [pointer]);
    expect(await footprints()).toEqual(before);
  });
});
