import { beforeAll, expect, it } from '@jest/globals';
import { type Action, type LineItem, type Notification, ROLES, type Role } from '@po/contracts';
import fc from 'fast-check';
import { act, newPoNumber, openWorld } from '../e2e/world.js';
import { apiClient } from '../support/api-client.js';
import { eventually } from '@po/testing/eventually';
import { readStack } from '../support/stack.js';
import { tokenOf } from '../support/tokens.js';
import { type Received, schemaErrors, undocumented } from './conformity.js';
import { PUBLISHED, type Published } from './document.js';
import { brokenRequests, validRequests } from './random-requests.js';
import { untilAvailable } from '../support/api-client.js';
import { type ApiRequest, send } from './send.js';
import type { Known } from './random-values.js';

/** Actions on each order that requests refer to, so that the orders differ in status. */
const ACTIONS_BY_ORDER: readonly (readonly [Role, Action][])[] = [
  [],
  [],
  [['VENDOR', 'SUBMIT']],
  [
    ['VENDOR', 'SUBMIT'],
    ['BUYER', 'APPROVE'],
  ],
  [
    ['VENDOR', 'SUBMIT'],
    ['BUYER', 'APPROVE'],
    ['VENDOR', 'MOVE_TO_PRODUCTION'],
  ],
  [['BUYER', 'CANCEL']],
];
/** Error codes for bodies that match their schema but violate rules that no schema can express. */
const BEYOND_SCHEMAS = ['TWO_PRICES', 'INVALID_TIME_ZONE', 'TOO_MANY_DECIMALS', 'OTHER_VENDOR', 'NOT_ONE_LINE'];

const callers = [...ROLES, 'no token', 'invalid token'] as const;
type Caller = (typeof callers)[number];
const caller = fc.oneof(
  { weight: 5, arbitrary: fc.constant<Caller>('VENDOR') },
  { weight: 5, arbitrary: fc.constantFrom(...callers) },
);

/**
 * Tests that every answer matches the published document, for `runs` valid and `runs` invalid requests to each operation. The same `seed`
 * gives the same requests; API_RUNS and API_SEED override both.
 */
export function testRandomRequests(runs: number, seed: number): void {
  const numRuns = Number(process.env.API_RUNS ?? runs);
  // Not shrunk, because each request changes the state for later ones.
  const times = { seed: Number(process.env.API_SEED ?? seed), numRuns, endOnFailure: true };
  const timeoutMs = 60_000 + numRuns * 1_000;
  const { gatewayUrl } = readStack();
  const tokens = new Map<Caller, string>();
  let known: Known;

  beforeAll(async () => {
    // Uses its own users and vendor, because its random changes must not affect other tests.
    for (const role of ROLES)
      tokens.set(role, await tokenOf('viewer', { sub: `published-${role}`, role, vendor_code: 'PUBLISHED' }));
    tokens.set('invalid token', 'no.good.token');
    const world = openWorld();
    const vendor = apiClient(gatewayUrl, tokens.get('VENDOR'));
    await vendor.get('/me');
    const poRef = ACTIONS_BY_ORDER.map(newPoNumber);
    for (const [index, poNumber] of poRef.entries()) {
      await world.importOrder({ poNumber, vendor: { code: 'PUBLISHED', name: 'Published Ltd.' } });
      for (const [role, action] of ACTIONS_BY_ORDER[index] ?? [])
        await act(apiClient(gatewayUrl, tokens.get(role)), poNumber, action);
    }
    const lines = await vendor.get<LineItem[]>(`/purchase-orders/${poRef[0]}/line-items`);
    const notifications = await eventually('the vendor has a notification of each order', async () => {
      const { body } = await vendor.get<Notification[]>('/notifications');
      return body.length >= ACTIONS_BY_ORDER.length && body;
    });
    const ids = notifications.map(({ id }) => id);
    known = {
      poRef,
      id: [...ids, 'all'],
      before: ids,
      vendor: ['PUBLISHED'],
      // Never the default policy, which would approve orders of other tests.
      name: ['PUBLISHED', 'UNPUBLISHED'],
      role: ['vendor', 'BUYER'],
      statusId: ['100'],
      rowHash: lines.body.flatMap(({ sizes }) => Object.values(sizes).map(({ rowHash }) => rowHash)),
      status: ['New', 'In Revision', '待审批'],
    };
  });

  const sendAs = async (who: Caller, request: ApiRequest) => {
    const isKnown = callers.indexOf(who) < ROLES.length;
    const found: string[] = [];
    const received = await untilAvailable(request.headers ?? {}, async (headers) => {
      const answer = await send({ ...request, headers }, tokens.get(who));
      found.push(...undocumented(request.method, request.path, answer));
      return answer;
    });
    if (received.status >= 500) found.push(`the API failed: ${received.status}`);
    if (!isKnown && received.status <= 400) found.push('accepted without a valid token');
    return { received, found };
  };

  it.each(PUBLISHED)(
    'answers valid random requests to $id as documented',
    async (operation) => {
      const property = fc.asyncProperty(caller, validRequests(operation, known), async (who, request) => {
        const { received, found } = await sendAs(who, request);
        expect([...found, ...refusalsOf(received)]).toEqual([]);
      });
      await fc.assert(property, times);
    },
    timeoutMs,
  );

  it.each(PUBLISHED)(
    'answers invalid random requests to $id as documented',
    async (operation) => {
      const property = fc.asyncProperty(caller, brokenRequests(operation, known), async (who, request) => {
        const { received, found } = await sendAs(who, request);
        const isDone = received.status < 300 && request.method === operation.method;
        expect([...found, ...(isDone ? bodyErrors(operation, request) : [])]).toEqual([]);
      });
      await fc.assert(property, times);
    },
    timeoutMs,
  );
}

/** Reasons why a valid request was refused as invalid. */
function refusalsOf({ status, body, text }: Received): string[] {
  const { errors = [] } = (body ?? {}) as { errors?: { code: string }[] };
  const isBeyond = errors.length > 0 && errors.every(({ code }) => BEYOND_SCHEMAS.includes(code));
  return [400, 413, 415].includes(status) && !isBeyond ? [`a valid request is refused: ${text}`] : [];
}

// The API trims strings, and an empty string clears a field.
const asRead = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body), (_key, value: unknown) =>
    typeof value === 'string' ? value.trim() || null : value,
  );

/** Schema errors of a body that is invalid both as sent and as the API reads it. */
function bodyErrors({ path, method, body: declared }: Published, { body = 'null' }: ApiRequest): string[] {
  if (!declared?.content['application/json']) return [];
  const operation = `/paths/${path.replaceAll('/', '~1')}/${method.toLowerCase()}`;
  const schema = `${operation}/requestBody/content/application~1json/schema`;
  const json: unknown = JSON.parse(String(body));
  const sent = schemaErrors(schema, json);
  return schemaErrors(schema, asRead(json)).length > 0 ? sent : [];
}
