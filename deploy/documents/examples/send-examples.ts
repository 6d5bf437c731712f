import { isDeepStrictEqual } from 'node:util';
import { ERRORS, type PurchaseOrderDetail } from '@po/contracts';
import { OPERATIONS } from '@po/gateway/dist/routes/operations.js';
import type { Api } from '#local/api-client.js';
import { PLANS } from '#local/demo/plans.js';
import type { DemoUserName } from '#local/demo/users.js';
import { eventually } from '@po/testing/eventually';
import { TODAY, daysAfter, daysBetween, shiftDates } from './dates.js';
import { REFUSED } from './refusals.js';
import type { ExampleResponse } from './response.js';
import { responseOfStream, isStream } from './streams.js';
import { ANSWERED, type ExampleRequest, PO_REF, isCode } from './requests.js';

/** A stack with freshly loaded demo orders. */
export interface DemoStack {
  gatewayUrl: string;
  api: (token?: string) => Api;
  tokenOf: (user: DemoUserName, claims: Record<string, unknown>) => Promise<string>;
}

/** Names of members, at any depth, that differ from stack to stack. */
const VOLATILE = [
  // Counted in working days.
  'nextDue',
  'id',
  'historyId',
  'requestId',
  'createdAt',
  'updatedAt',
  'changedAt',
  'occurredAt',
  'lastSyncedAt',
  'agreedAt',
  'readAt',
  // On another weekday, the same days fall into other weeks.
  'weeks',
  // Today, which is after the day of the demo orders if they were loaded before midnight.
  'asOf',
];
const WAIT_MS = 30_000;

/**
 * Sends all requests of the examples in order and returns the responses by `of`. With `expected`, reads are repeated until the response
 * matches, for up to 30 s, because writes are visible to other services only after a delay.
 */
export async function sendExamples(
  stack: DemoStack,
  expected: Record<string, ExampleResponse> = {},
): Promise<Record<string, ExampleResponse>> {
  const days = await daysSince(stack);
  const responses: Record<string, ExampleResponse> = {};
  for (const request of [...ANSWERED, ...REFUSED]) {
    const wanted = request.of === null ? undefined : expected[request.of];
    const isRead = OPERATIONS[request.operation].method === 'GET';
    const ask = () => responseTo(withId(request, responses), stack, days);
    const isFine = ({ body }: ExampleResponse) => request.until?.(body as never) ?? true;
    const isWanted = (response: ExampleResponse) => isFine(response) && (!wanted || isSame(response, wanted));
    let last: ExampleResponse | undefined;
    const poll = () => ask().then((response) => isWanted((last = response)));
    if (isRead) await eventually(`${request.of} is answered`, poll, { timeoutMs: WAIT_MS }).catch(() => undefined);
    const response = last ?? (await ask());
    if (!statusesOf(request).includes(response.status))
      throw new Error(`${request.of} answered ${JSON.stringify(response)}`);
    if (request.of !== null) responses[request.of] = response;
  }
  return responses;
}

function withId(request: ExampleRequest, responses: Record<string, ExampleResponse>): ExampleRequest {
  if (!request.idOf) return request;
  const { param, of } = request.idOf;
  const { id = '' } = (responses[of]?.body ?? {}) as { id?: string };
  return { ...request, params: { ...request.params, [param]: id } };
}

function statusesOf({ of, operation }: ExampleRequest): readonly number[] {
  return of !== null && isCode(of) ? [ERRORS[of].status] : OPERATIONS[operation].statuses;
}

/** Days from the day of the examples to the day on which the demo orders were loaded. */
async function daysSince(stack: DemoStack): Promise<number> {
  const token = await stack.tokenOf('vendor:CRANE', {});
  const { body } = await stack.api(token).get<PurchaseOrderDetail>(`/purchase-orders/${PO_REF}`);
  if (body.version !== 1)
    throw new Error(`${PO_REF} has changed since it was loaded: start a new stack with "npm start -- --fresh"`);
  const plan = PLANS[Number(PO_REF.slice(-2)) - 1];
  return daysBetween(daysAfter(TODAY, plan?.poDate ?? 0), body.poDate);
}

async function responseTo(request: ExampleRequest, stack: DemoStack, days: number): Promise<ExampleResponse> {
  const { method, path, reply } = OPERATIONS[request.operation];
  const verb = (request.method ?? method).toLowerCase() as keyof Api;
  const token = request.as === null ? request.token : await stack.tokenOf(request.as, request.claims ?? {});
  // In lower case, so that headers of the example replace the client's own.
  const headers = Object.fromEntries(
    Object.entries({ 'X-Request-Id': 'example', ...request.headers }).map(([name, value]) => [
      name.toLowerCase(),
      value,
    ]),
  );
  const target = request.path ?? `${filled(path, request.params)}${queryOf(request.query)}`;
  if (isStream(reply)) {
    return responseOfStream({ url: `${stack.gatewayUrl}/api${target}`, token, headers, opened: request.opened });
  }
  const sent = request.body === undefined ? undefined : shiftDates(request.body, days);
  const { status, body, text } = await stack.api(token)[verb](target, sent, headers);
  const shown = Array.isArray(body)
    ? body.filter((element) => request.only?.(element as never) ?? true).slice(0, request.shown)
    : (body ?? firstLines(text, request.shown));
  return { status, body: shiftDates(shown, -days) };
}

const firstLines = (text: string, lines = Infinity): string =>
  text
    .split(/(?<=\n)/)
    .slice(0, lines)
    .join('');

const filled = (path: string, params: Record<string, string> = {}): string =>
  path.replaceAll(/:(\w+)/g, (_match, name: string) => encodeURIComponent(params[name] ?? ''));
const queryOf = (query?: Record<string, string>): string => (query ? `?${new URLSearchParams(query).toString()}` : '');

/** Replaces volatile members by their type, so that responses of different stacks are comparable. */
export const withoutVolatile = ({ status, body }: ExampleResponse): ExampleResponse => ({
  status,
  body: JSON.parse(JSON.stringify(body), (key, value: unknown) =>
    VOLATILE.includes(key) && value !== null ? typeof value : value,
  ) as unknown,
});

const isSame = (one: ExampleResponse, other: ExampleResponse): boolean =>
  isDeepStrictEqual(withoutVolatile(one), withoutVolatile(other));

/** Keeps volatile values and the member order of the previous recording, so that a new recording shows only real changes. */
export function withPreviousVolatile(fresh: unknown, before: unknown): unknown {
  if (Array.isArray(fresh))
    return fresh.map((item, index) => withPreviousVolatile(item, Array.isArray(before) ? before[index] : null));
  if (typeof fresh !== 'object' || fresh === null) return fresh;
  const old = (typeof before === 'object' && before !== null ? before : {}) as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries({ ...old, ...fresh })
      .filter(([key]) => Object.hasOwn(fresh, key))
      .map(([key, value]: [string, unknown]) => {
        const isKept = VOLATILE.includes(key) && typeof old[key] === typeof value;
        return [key, isKept ? old[key] : withPreviousVolatile(value, old[key])];
      }),
  );
}
