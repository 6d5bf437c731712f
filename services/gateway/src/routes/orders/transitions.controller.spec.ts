import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Controller } from '@nestjs/common';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import { GROUPS, HEADERS, PATTERNS, ProblemError, TOPICS, type TransitionsResult } from '@po/contracts';
import { type Reply, type RpcContext, ok } from '@po/messaging';
import { advanceClock, expireDeadline, useAdvanceableClock } from '@po/messaging/testing';
import { eventually } from '@po/testing/eventually';
import { type RunningGateway, runGateway } from '../../fixtures/gateway.js';

/** Requests for PO-SILENT orders, or with the key "silent", get no answer until this resolves. */
let timeIsOver = Promise.withResolvers<void>();
const received: { payload: unknown; context: RpcContext }[] = [];

/** Stub of the order service: the order's number determines how a transition ends. */
@Controller()
class Services {
  @MessagePattern(PATTERNS.beginTransitions.type)
  async begin(@Payload() payload: unknown, @Ctx() context: RpcContext): Promise<Reply> {
    received.push({ payload, context });
    if (context.idempotencyKey === 'silent') await timeIsOver.promise;
    if (context.idempotencyKey === 'reused') throw new ProblemError('IDEMPOTENCY_KEY_REUSED');
    if (context.actor.role === 'VIEWER') throw new ProblemError('ROLE_NOT_ALLOWED');
    return ok({ success: true });
  }

  @MessagePattern(PATTERNS.transition.type)
  async transition(@Payload() payload: { poRef: string }, @Ctx() context: RpcContext): Promise<Reply> {
    const { poRef } = payload;
    received.push({ payload, context });
    if (poRef.startsWith('PO-SILENT')) await timeIsOver.promise;
    if (poRef === 'PO-STALE') throw new ProblemError('VERSION_MISMATCH', { currentVersion: 9 });
    const replayed = poRef.startsWith('PO-REPEATED') ? { 'idempotency-replayed': 'true' } : {};
    const moved = { success: true, newStatusId: 200, newStatus: 'Pending Approval', newStatusZh: '待审批' };
    return ok(
      { ...moved, message: 'Transition SUBMIT completed', version: 4, historyId: `h-${poRef}`, autoApproved: false },
      replayed,
    );
  }
}

const submit = (...poRefs: string[]) => ({ items: poRefs.map((poRef) => ({ poRef, action: 'SUBMIT' })) });
const numbered = (name: string, count: number) => submit(...Array.from({ length: count }, (_, n) => `${name}-${n}`));

describe('TransitionsController', () => {
  let gateway: RunningGateway;
  beforeAll(async () => {
    useAdvanceableClock();
    gateway = await runGateway({ services: [Services] });
  });
  beforeEach(() => void (received.length = 0));
  afterAll(async () => {
    await gateway.stop();
    jest.useRealTimers();
  });

  const post = async (body: unknown, headers: Record<string, string> = {}, token = gateway.provider.token()) => {
    const response = await gateway.call('/api/purchase-orders/transitions', {
      method: 'POST',
      token,
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    });
    const answer = (await response.json()) as TransitionsResult & Record<string, unknown>;
    return { status: response.status, headers: response.headers, answer };
  };
  const transitions = () => received.filter(({ context }) => context.type === PATTERNS.transition.type);
  const sent = () => gateway.kafka.records(TOPICS.commands).length;
  const answers = () =>
    gateway.kafka.records(TOPICS.replies).filter(({ headers }) => HEADERS.httpStatus in headers).length;
  const allIsHandled = async () => {
    const admin = await gateway.kafka.admin();
    const done = await admin.committed(GROUPS.commands, TOPICS.commands);
    const all = await admin.offsets(TOPICS.commands);
    return all.every(({ high }, partition) => high === '0' || done[partition]?.offset === high);
  };
  /** Like `post`, for orders that get no answer: the time runs out once `count` other requests to services were answered. */
  const postOutOfTime = async (count: number, ...posted: Parameters<typeof post>) => {
    const before = answers();
    timeIsOver = Promise.withResolvers();
    const ended = await expireDeadline(post(...posted), () => answers() === before + count);
    // Requests that were sent again must be handled before the next test.
    timeIsOver.resolve();
    await eventually('all requests are handled', () => advanceClock(1_000).then(allIsHandled));
    return ended;
  };

  it('executes each item like the single request, after the key is bound to the body, and returns the results in order', async () => {
    const [done, stale] = [
      { poRef: 'po-1', action: 'SUBMIT', comment: ' ok ' },
      { poRef: 'PO-STALE', action: 'SUBMIT', version: 3 },
    ];
    const items = [done, { poRef: 'no number', action: 'SUBMIT' }, stale];
    const { status, headers, answer } = await post(
      { items },
      { 'idempotency-key': 'k-1', 'accept-language': 'zh', 'x-request-id': 'r-1' },
    );
    const path = (poRef: string) => `/api/purchase-orders/${poRef}/transition`;
    const failed = {
      success: false,
      newStatusId: null,
      newStatus: null,
      newStatusZh: null,
      version: null,
      historyId: null,
      autoApproved: null,
    };
    const problem = { success: false, requestId: 'r-1' };
    expect([status, headers.get('content-language'), headers.get('idempotency-replayed')]).toEqual([200, 'zh', null]);
    expect(answer).toEqual({
      results: [
        {
          poRef: 'PO-1',
          status: 200,
          success: true,
          newStatusId: 200,
          newStatus: 'Pending Approval',
          newStatusZh: '待审批',
          version: 4,
          historyId: 'h-PO-1',
          autoApproved: false,
          problem: null,
        },
        {
          poRef: 'no number',
          status: 404,
          ...failed,
          problem: expect.objectContaining({ ...problem, code: 'PO_NOT_FOUND', instance: path('no%20number') }),
        },
        {
          poRef: 'PO-STALE',
          status: 412,
          ...failed,
          problem: expect.objectContaining({
            ...problem,
            code: 'VERSION_MISMATCH',
            title: '版本不匹配',
            currentVersion: 9,
            instance: path('PO-STALE'),
          }),
        },
      ],
      succeeded: 1,
      failed: 2,
    });
    const [first, ...each] = received;
    expect(first).toMatchObject({
      payload: { request: { items: [{ ...done, poRef: 'PO-1', comment: 'ok' }, items[1], stale] } },
      context: {
        type: PATTERNS.beginTransitions.type,
        idempotencyKey: 'k-1',
        idempotencyOrigin: 'client',
        ifMatch: null,
      },
    });
    const byOrder = new Map(each.map((one) => [(one.payload as { poRef: string }).poRef, one]));
    const single = { type: PATTERNS.transition.type, method: 'POST', idempotencyOrigin: 'client', locale: 'zh' };
    expect(byOrder.get('PO-1')).toMatchObject({
      payload: { poRef: 'PO-1', request: { action: 'SUBMIT', comment: 'ok' } },
      context: { ...single, path: path('PO-1'), ifMatch: null },
    });
    expect(byOrder.get('PO-STALE')?.context).toMatchObject({ ...single, path: path('PO-STALE'), ifMatch: '"3"' });
    expect(byOrder.size).toBe(2);
    // A client cannot send such a key.
    for (const { context } of each) expect(context.idempotencyKey).toMatch(/^batch k-1$/);
    expect((await post(submit('PO-1'), { 'idempotency-key': 'batch k-1' })).status).toBe(400);
  });

  it.each<[string, string[], string | null]>([
    ['all were', ['PO-REPEATED-1', 'PO-REPEATED-2'], 'true'],
    ['one was refused again', ['PO-REPEATED-1', 'PO-STALE'], null],
    ['one was executed now', ['PO-REPEATED-1', 'PO-1'], null],
    ['none was', ['PO-STALE'], null],
  ])('sets Idempotency-Replayed only if every item was replayed: %s', async (_what, poRefs, expected) => {
    const { headers } = await post(submit(...poRefs));
    expect(headers.get('idempotency-replayed')).toBe(expected);
  });

  it('does not set Idempotency-Replayed if an item without an answer may have been executed now', async () => {
    const { headers } = await postOutOfTime(2, submit('PO-REPEATED-1', 'PO-SILENT'));
    expect(headers.get('idempotency-replayed')).toBeNull();
  });

  it('returns the key of the batch, for a repeat, with an item that got no answer in time', async () => {
    const outcomes = async (headers: Record<string, string>) => {
      const { answer } = await postOutOfTime(2, submit('PO-SILENT', 'PO-1'), headers);
      const [silent, other] = answer.results;
      expect([silent?.status, silent?.problem?.outcome, other?.status]).toEqual([504, 'unknown', 200]);
      return silent?.problem?.idempotencyKey;
    };
    expect(await outcomes({ 'idempotency-key': 'k-2' })).toBe('k-2');
    const generated = await outcomes({});
    expect(generated).toMatch(/^[0-9a-f-]{36}$/);
    const own = { idempotencyKey: `batch ${String(generated)}`, idempotencyOrigin: 'minted' };
    expect(received.at(-1)?.context).toMatchObject(own);
  });

  it('executes twenty items at a time, and starts no more after one got no answer', async () => {
    const { answer } = await postOutOfTime(1, numbered('PO-SILENT', 45));
    expect(answer.results.map(({ status }) => status)).toEqual([...Array(20).fill(504), ...Array(25).fill(503)]);
    expect([answer.succeeded, answer.failed]).toEqual([0, 45]);
    const whole = await post(numbered('PO', 100));
    expect([whole.answer.succeeded, whole.answer.results.at(-1)?.poRef]).toEqual([100, 'PO-99']);
  });

  it.each<[string, string, Record<string, string>, number, Record<string, unknown>]>([
    ['a role without any transition', 'VIEWER', {}, 403, { code: 'ROLE_NOT_ALLOWED' }],
    [
      'a key that was used with another body',
      'BUYER',
      { 'idempotency-key': 'reused' },
      422,
      { code: 'IDEMPOTENCY_KEY_REUSED' },
    ],
  ])('refuses the whole batch for %s, and executes nothing', async (_what, role, headers, status, problem) => {
    const { status: given, answer } = await post(submit('PO-1'), headers, gateway.provider.token({ role }));
    expect(given).toBe(status);
    expect(answer).toMatchObject({ ...problem, instance: '/api/purchase-orders/transitions' });
    expect(transitions()).toEqual([]);
  });

  it('refuses the whole batch for a key that could not be bound in time, and executes nothing', async () => {
    const { status, answer } = await postOutOfTime(0, submit('PO-1'), { 'idempotency-key': 'silent' });
    expect(status).toBe(504);
    const instance = '/api/purchase-orders/transitions';
    expect(answer).toMatchObject({ code: 'TIMEOUT', outcome: 'unknown', idempotencyKey: 'silent', instance });
    expect(transitions()).toEqual([]);
  });

  const item = { poRef: 'PO-1', action: 'SUBMIT' };
  const unknown = { poRef: 'PO-2', action: 'SUBMITT' };
  it.each<[string, unknown, string, string, string?]>([
    ['no items', {}, '/items', 'REQUIRED'],
    ['an empty list', { items: [] }, '/items', 'TOO_SMALL'],
    ['101 items', numbered('PO', 101), '/items', 'TOO_LARGE'],
    ['an unknown action', { items: [item, unknown] }, '/items/1/action', 'NOT_ALLOWED', 'SUBMIT?'],
    ['an action of the system', { items: [{ ...item, action: 'IMPORT' }] }, '/items/0/action', 'NOT_ALLOWED'],
    ['an unknown field', { items: [{ ...item, coment: 'x' }] }, '/items/0/coment', 'UNKNOWN_FIELD', 'comment?'],
    ['an unknown field beside the items', { ...submit('PO-1'), item: 1 }, '/item', 'UNKNOWN_FIELD', 'items?'],
    ['a long comment', { items: [{ ...item, comment: 'x'.repeat(2001) }] }, '/items/0/comment', 'TOO_LONG'],
    ['a version that is not a number', { items: [{ ...item, version: '1' }] }, '/items/0/version', 'INVALID_TYPE'],
    ['a version below 0', { items: [{ ...item, version: -1 }] }, '/items/0/version', 'TOO_SMALL'],
    ['a missing poRef', { items: [{ action: 'SUBMIT' }] }, '/items/0/poRef', 'REQUIRED'],
    ['a poRef that is not a text', { items: [{ ...item, poRef: 7 }] }, '/items/0/poRef', 'INVALID_TYPE'],
    ['a poRef with a NUL', { items: [{ ...item, poRef: '\0' }] }, '/items/0/poRef', 'INVALID_TEXT'],
    ['the same order twice', submit('PO-2', 'PO-1', 'po-1'), '/items/2/poRef', 'DUPLICATE', 'not repeat'],
  ])('refuses the whole batch for %s, and executes nothing', async (_what, body, pointer, code, told = '') => {
    const before = sent();
    const { status, answer } = await post(body);
    expect([status, answer.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(answer.errors).toEqual([{ in: 'body', pointer, code, message: expect.stringContaining(told) }]);
    expect(sent()).toBe(before);
  });

  it('ignores If-Match for the whole batch; with other methods, the path is that of an order named "transitions"', async () => {
    expect((await post(submit('PO-1'), { 'if-match': 'x' })).status).toBe(200);
    const put = await gateway.call('/api/purchase-orders/transitions', { method: 'PUT' });
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, HEAD, PATCH, POST']);
  });

  it('counts each item as a write; a batch that exceeds the rest of the minute is refused as a whole and counts as one', async () => {
    const limited = await runGateway({ services: [Services], limits: { read: 0, write: 6 } });
    try {
      const ask = async (body: unknown, sub = 'u-1') => {
        const init = { method: 'POST', token: limited.provider.token({ sub }), body: JSON.stringify(body) };
        const headers = { 'content-type': 'application/json' };
        const response = await limited.call('/api/purchase-orders/transitions', { ...init, headers });
        return [response.status, response.headers.get('retry-after') !== null];
      };
      expect(await ask(numbered('PO', 4))).toEqual([200, false]);
      const before = limited.kafka.records(TOPICS.commands).length;
      expect(await ask(numbered('PO', 7))).toEqual([429, true]);
      expect(limited.kafka.records(TOPICS.commands)).toHaveLength(before);
      expect(await ask(submit('PO-1'))).toEqual([200, false]);
      expect(await ask(submit('PO-1'))).toEqual([429, true]);
      // More than fits in any window: it takes a whole one.
      expect(await ask(numbered('PO', 7), 'u-2')).toEqual([200, false]);
      expect(await ask(submit('PO-1'), 'u-2')).toEqual([429, true]);
    } finally {
      await limited.stop();
    }
  });
});
