import { describe, expect, it } from '@jest/globals';
import { Controller } from '@nestjs/common';
import { Ctx, MessagePattern } from '@nestjs/microservices';
import { PATTERNS, type FieldError, type Problem, ProblemError, type TransitionsResult } from '@po/contracts';
import { type Reply, type RpcContext, notModified, ok } from '@po/messaging';
import { gatewayForTests } from '../fixtures/gateway.js';

@Controller()
class Services {
  @MessagePattern(PATTERNS.detail.type)
  detail(@Ctx() { ifNoneMatch }: RpcContext): Reply {
    if (ifNoneMatch === '"7"') return notModified({ etag: '"7"' });
    if (ifNoneMatch === '"1"') return ok({ poRef: 'PO-1' }, { etag: '"7"' });
    throw new ProblemError('PO_NOT_FOUND');
  }

  @MessagePattern(PATTERNS.updateHeader.type)
  updateHeader(): Reply {
    const message = { en: 'must not be before the order date', zh: '不能早于下单日期' };
    const error = { in: 'body', pointer: '/vendor_reply_xfd', code: 'BEFORE_PO_DATE', message } as const;
    throw new ProblemError('VALUE_OUT_OF_RANGE', {}, { errors: [error] });
  }

  @MessagePattern(PATTERNS.beginTransitions.type)
  begin(): Reply {
    return ok({ success: true });
  }
}

const ORDER = '/purchase-orders/PO-1';
const json = { 'content-type': 'application/json' };
const VARY = ['X-User-Token', 'Accept-Language'];
const CHINESE = /[\u4e00-\u9fff]/;

describe.each(['en', 'zh'] as const)('a client that prefers %s', (locale) => {
  const gateway = gatewayForTests({ services: [Services], limits: { read: 100, write: 100 } });

  const call = (path: string, { headers, ...init }: RequestInit & { token?: string | null } = {}) =>
    gateway.call(`/api${path}`, {
      token: gateway.provider.token(),
      ...init,
      headers: { 'accept-language': locale === 'zh' ? 'zh-CN,zh;q=0.9,en;q=0.5' : 'en-US', ...(headers as object) },
    });
  const varies = ({ headers }: Response) => headers.get('vary')?.split(', ');
  const expectTexts = ({ title, detail, message, errors = [] }: Problem & { errors?: FieldError[] }) => {
    for (const text of [title, detail, message, ...errors.map((error) => error.message)]) {
      expect(CHINESE.test(text)).toBe(locale === 'zh');
    }
  };
  const patch = (body: string, headers: Record<string, string> = json) => ({ method: 'PATCH', body, headers });

  it.each<[string, number, string, RequestInit & { token?: string | null }]>([
    ['a missing token', 401, '/me', { token: null }],
    ['a bad token', 401, '/me', { token: 'a.b.c' }],
    ['an unknown route', 404, '/nothing', {}],
    ['a wrong method', 405, '/me', { method: 'DELETE' }],
    ['an invalid poRef', 404, '/purchase-orders/-', {}],
    ['a bad flag', 400, '/purchase-orders?overdue=yes', {}],
    ['a repeated parameter', 400, '/purchase-orders?page=1&page=2', {}],
    ['a bad header', 400, ORDER, patch('{"container_number":"C"}', { ...json, 'if-match': 'x' })],
    ['a bad field', 400, ORDER, patch('{"vendor_reply_xfd":"x"}')],
    ['malformed JSON', 400, ORDER, patch('{')],
    ['another media type', 415, ORDER, patch('{}', { 'content-type': 'text/plain' })],
    ['a body that is too large', 413, ORDER, patch(`"${'x'.repeat(1_048_576)}"`)],
    ['an error of a service', 404, ORDER, {}],
    ['a field error of a service', 422, ORDER, patch('{"vendor_reply_xfd":"2027-01-01"}')],
    ['an operation that no service answers', 503, `${ORDER}/history`, {}],
  ])('gets the error for %s in that language, with Vary', async (_what, status, path, init) => {
    const answer = await call(path, init);
    expect([answer.status, answer.headers.get('content-language'), varies(answer)]).toEqual([status, locale, VARY]);
    expectTexts((await answer.json()) as Problem);
    if (init.method !== undefined) return;
    const head = await call(path, { ...init, method: 'HEAD' });
    expect([head.status, head.headers.get('content-language'), varies(head)]).toEqual([status, locale, VARY]);
    expect(await head.text()).toBe('');
  });

  it('gets the error for too many requests in that language', async () => {
    const token = gateway.provider.token({ sub: `busy-${locale}` });
    for (let count = 0; count < 100; count += 1) await call('/purchase-orders/-', { token });
    const answer = await call('/purchase-orders/-', { token });
    expect([answer.status, answer.headers.get('content-language'), varies(answer)]).toEqual([429, locale, VARY]);
    expectTexts((await answer.json()) as Problem);
  });

  it('gets Content-Language only on a success response with localized texts, and Vary on every response', async () => {
    const body = JSON.stringify({ items: [{ poRef: '-', action: 'SUBMIT' }] });
    const batch = await call('/purchase-orders/transitions', { method: 'POST', body, headers: json });
    expect([batch.status, batch.headers.get('content-language'), varies(batch)]).toEqual([200, locale, VARY]);
    expectTexts(((await batch.json()) as TransitionsResult).results[0]?.problem as Problem);
    for (const [status, tag] of [
      [304, '"7"'],
      [200, '"1"'],
    ] as const) {
      const answer = await call(ORDER, { headers: { 'if-none-match': tag } });
      expect([answer.status, answer.headers.get('content-language'), varies(answer)]).toEqual([status, null, VARY]);
    }
  });
});
