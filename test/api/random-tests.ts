import { beforeAll, expect, it } from '@jest/globals';
import { type Action, type LineItem, type Notification, ROLES, type Role } from '@po/contracts';
import fc from 'fast-check';
import { act, newPoNumber, openWorld } from '../e2e/world.js';
import { apiClient } from '../support/api-client.js';
import { eventually } from '@po/testing/eventually';
import { readStack } from '../support/stack.js';
import { tokenOf } from '../support/tokens.js';
import { type Received, misfits, undocumented } from './conformity.js';
import { PUBLISHED, type Published } from './document.js';
import { brokenRequests, validRequests } from './random-requests.js';
import { untilAvailable } from '../support/api-client.js';
import { type ApiRequest, send } from './send.js';
import type { Known } from './random-values.js';

/** What becomes of the orders that requests are about: each in another status. */
const LIVES: readonly (readonly [Role, Action][])[] = [
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
/** Of a body that is as documented: what a schema cannot say. */
const BEYOND_SCHEMAS = ['TWO_PRICES', 'INVALID_TIME_ZONE', 'TOO_MANY_DECIMALS', 'OTHER_VENDOR', 'NOT_ONE_LINE'];

const callers = [...ROLES, 'nobody', 'somebody else'] as const;
type Caller = (typeof callers)[number];
const caller = fc.oneof(
  { weight: 5, arbitrary: fc.constant<Caller>('VENDOR') },
  { weight: 5, arbitrary: fc.constantFrom(...callers) },
);

/**
 * Tests that every answer is as the published document says: `runs` requests of each operation as documented, and as many that are not, the
 * same for the same `seed`; API_RUNS and API_SEED ask for other ones.
 */
export function testRandomRequests(runs: number, seed: number): void {
  const numRuns = Number(process.env.API_RUNS ?? runs);
  // Not shrunk: what is asked changes what is asked next.
  const times = { seed: Number(process.env.API_SEED ?? seed), numRuns, endOnFailure: true };
  const timeoutMs = 60_000 + numRuns * 1_000;
  const { gatewayUrl } = readStack();
  const tokens = new Map<Caller, string>();
  let known: Known;

  beforeAll(async () => {
    // Users and a vendor of its own: what it does at random is nobody else's.
    for (const role of ROLES)
      tokens.set(role, await tokenOf('viewer', { sub: `published-${role}`, role, vendor_code: 'PUBLISHED' }));
    tokens.set('somebody else', 'no.good.token');
    const world = openWorld();
    const vendor = apiClient(gatewayUrl, tokens.get('VENDOR'));
    await vendor.get('/me');
    const poRef = LIVES.map(newPoNumber);
    for (const [index, poNumber] of poRef.entries()) {
      await world.importOrder({ poNumber, vendor: { code: 'PUBLISHED', name: 'Published Ltd.' } });
      for (const [role, action] of LIVES[index] ?? [])
        await act(apiClient(gatewayUrl, tokens.get(role)), poNumber, action);
    }
    const lines = await vendor.get<LineItem[]>(`/purchase-orders/${poRef[0]}/line-items`);
    const told = await eventually('the vendor is told of the orders', async () => {
      const { body } = await vendor.get<Notification[]>('/notifications');
      return body.length >= LIVES.length && body;
    });
    const ids = told.map(({ id }) => id);
    known = {
      poRef,
      id: [...ids, 'all'],
      before: ids,
      vendor: ['PUBLISHED'],
      // Never the default, which approves orders of other tests.
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
    if (received.status >= 500) found.push(`it failed: ${received.status}`);
    if (!isKnown && received.status <= 400) found.push('nobody may ask that');
    return { received, found };
  };

  it.each(PUBLISHED)(
    'answers documented requests of $id as documented',
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
    'answers undocumented requests of $id as documented',
    async (operation) => {
      const property = fc.asyncProperty(caller, brokenRequests(operation, known), async (who, request) => {
        const { received, found } = await sendAs(who, request);
        const isDone = received.status < 300 && request.method === operation.method;
        expect([...found, ...(isDone ? bodyMisfits(operation, request) : [])]).toEqual([]);
      });
      await fc.assert(property, times);
    },
    timeoutMs,
  );
}

/** Why a request that is as documented was taken for one that is not. */
function refusalsOf({ status, body, text }: Received): string[] {
  const { errors = [] } = (body ?? {}) as { errors?: { code: string }[] };
  const isBeyond = errors.length > 0 && errors.every(({ code }) => BEYOND_SCHEMAS.includes(code));
  return [400, 413, 415].includes(status) && !isBeyond ? [`it is refused: ${text}`] : [];
}

// What surrounds a text is no part of it, and an empty one clears a field.
const asRead = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body), (_key, value: unknown) =>
    typeof value === 'string' ? value.trim() || null : value,
  );

/** In what a body is not as its schema says, as it was sent and as it is read. */
function bodyMisfits({ path, method, body: declared }: Published, { body = 'null' }: ApiRequest): string[] {
  if (!declared?.content['application/json']) return [];
  const operation = `/paths/${path.replaceAll('/', '~1')}/${method.toLowerCase()}`;
  const schema = `${operation}/requestBody/content/application~1json/schema`;
  const json: unknown = JSON.parse(String(body));
  const sent = misfits(schema, json);
  return misfits(schema, asRead(json)).length > 0 ? sent : [];
}
