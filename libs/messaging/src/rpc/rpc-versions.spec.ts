import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Actor, HEADERS, PATTERNS, type RpcPattern, TOPICS } from '@po/contracts';
import { actors } from '@po/testing/actors';
import { type TestApplication, handled, startApplication } from '../fixtures/application.js';
import { contextOf, envelopeOf, httpHeadersOf } from './rpc-headers.js';

const OF_TOMORROW = { ...PATTERNS.detail, type: 'purchase-orders.of-tomorrow' };
const submit = { poRef: 'PO-1', request: { action: 'SUBMIT' } };

describe('requests of a newer version', () => {
  let app: TestApplication;
  beforeEach(async () => {
    app = await startApplication();
  });
  afterEach(() => app.close());

  const ask = (pattern: RpcPattern, payload: unknown, actorToken = app.request.actorToken) =>
    app.client.request(pattern, payload, { ...app.request, actorToken, key: 'PO-1' });

  it.each<[string, RpcPattern, unknown]>([
    ['a query', PATTERNS.detail, { poRef: 'PO-1', includeLineItems: false, addedTomorrow: 1 }],
    ['a command envelope', PATTERNS.transition, { ...submit, addedTomorrow: 1 }],
  ])('are answered when %s has an additional field', async (_what, pattern, payload) => {
    await expect(ask(pattern, payload)).resolves.toMatchObject({ status: 200 });
    expect(JSON.stringify(handled.requests)).not.toContain('addedTomorrow');
  });

  it('are answered when the actor has additional fields', async () => {
    const actorToken = (purpose: string) => app.sign({ ...actors.acme, addedTomorrow: 1 } as Actor, purpose);
    await expect(ask(PATTERNS.detail, { poRef: 'PO-1', includeLineItems: false }, actorToken)).resolves.toMatchObject({
      status: 200,
    });
    expect(handled.requests).toMatchObject([{ context: { actor: actors.acme } }]);
  });

  it.each<[string, RpcPattern, unknown]>([
    ['a type', OF_TOMORROW, {}],
    ['an action', PATTERNS.transition, { poRef: 'PO-1', request: { action: 'REOPEN' } }],
    ['a field of a command', PATTERNS.transition, { poRef: 'PO-1', request: { ...submit.request, on: 1 } }],
    ['a value format', PATTERNS.detail, { poRef: 'po lower', includeLineItems: false }],
  ])('are refused with 503 and Retry-After when %s is unknown', async (_what, pattern, payload) => {
    const { status, headers, body } = await ask(pattern, payload);
    expect([status, headers['retry-after']]).toEqual([503, '2']);
    expect(JSON.parse(body.toString())).toMatchObject({ code: 'UNAVAILABLE', requestId: 'r-1' });
    expect(handled.requests).toEqual([]);
  });

  it('are refused with 503 and Retry-After when the role of the caller is unknown', async () => {
    const actorToken = (purpose: string) => app.sign({ ...actors.acme, role: 'AUDITOR' } as unknown as Actor, purpose);
    const { status, headers } = await ask(PATTERNS.detail, { poRef: 'PO-1', includeLineItems: false }, actorToken);
    expect([status, headers['retry-after']]).toEqual([503, '2']);
    expect(handled.requests).toEqual([]);
  });
});

describe('headers of a newer version', () => {
  const request = {
    [HEADERS.messageType]: 'x',
    [HEADERS.correlationId]: 'c',
    [HEADERS.replyTopic]: TOPICS.replies,
    [HEADERS.replyPartition]: '1',
    [HEADERS.deadline]: '1',
    'x-added-tomorrow': '1',
  };

  it('are ignored, and an unknown language becomes English', () => {
    const headers = { ...request, [HEADERS.locale]: 'fr' };
    const envelope = envelopeOf(headers);
    const context =
      envelope &&
      contextOf(envelope, headers, { actor: actors.acme, traceparent: '', reserve: () => Promise.resolve() });
    expect(context).toMatchObject({ locale: 'en', actor: actors.acme });
    expect(httpHeadersOf({ 'h-etag': '"1"', 'h-added-tomorrow': '1' })).toEqual({ etag: '"1"' });
  });
});
