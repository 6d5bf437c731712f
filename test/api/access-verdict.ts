import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import type { Received } from './conformity.js';
import {
  type RequestSpec,
  type Rule,
  REJECTED_CALLERS,
  type RejectedCaller,
  type Subject,
  type Verdict,
} from '../../deploy/documents/access-rules/rule.js';
import { sendAndCheck } from './send.js';

export interface AccessCase {
  method: string;
  rule: Rule;
  subject: Subject;
  /** Identifiers of the own vendor or its order. */
  identifiers: readonly string[];
  headers?: Record<string, string>;
}

interface Problem {
  status: number;
  code: string;
  requestId: string;
  instance: string;
}
type Item = Partial<Subject> & { status: number; problem: Problem | null };

type Token = string | undefined;

/** The single item of a batch; undefined if the rule has no item or the whole batch was refused. */
const itemOf = ({ body }: Received, { isBatchItem }: Rule): Item | undefined =>
  isBatchItem ? (body as { results?: Item[] }).results?.[0] : undefined;

/** The answer without values that differ between requests for missing orders. */
function anonymous(answer: Received, rule: Rule): unknown {
  const blank = { requestId: '', instance: '', poRef: '' };
  const item = itemOf(answer, rule);
  if (item) return { ...item, ...blank, problem: { ...item.problem, ...blank } };
  return { ...(answer.body as object), status: answer.status, ...blank };
}

/** Identifiers of the own vendor in an answer, except those that the request contained. */
const leaked = (text: string, identifiers: readonly string[], asked: RequestSpec): string[] =>
  identifiers.filter((mark) => text.includes(mark) && !JSON.stringify(asked).includes(mark));

/** Sends a request as a caller that every operation rejects, and checks the answer. */
export async function expectRejection(token: Token, caller: RejectedCaller, accessCase: AccessCase): Promise<void> {
  const { method, rule, subject, identifiers } = accessCase;
  const spec = rule.request(subject);
  const { status, text, body } = await sendAndCheck({ ...spec, method }, token);
  expect([status, (body as Problem).code]).toEqual(Object.values(REJECTED_CALLERS[caller]));
  expect(leaked(text, identifiers, spec)).toEqual([]);
  if (method === 'GET') expect((await sendAndCheck({ ...spec, method: 'HEAD' }, token)).status).toBe(status);
}

/** Sends a request as a caller and checks the answer against a verdict. `ownCount`: number of the caller's own orders in the answer. */
export async function expectVerdict(
  token: Token,
  verdict: Verdict,
  accessCase: AccessCase,
  ownCount: number,
): Promise<void> {
  const { method, rule, subject, identifiers, headers } = accessCase;
  const spec = rule.request(subject);
  const answer = await sendAndCheck({ ...spec, method, headers: { ...spec.headers, ...headers } }, token);
  const { text } = answer;
  if (method === 'GET')
    expect(await sendAndCheck({ ...spec, method: 'HEAD' }, token)).toMatchObject({ status: answer.status, text: '' });
  const found = leaked(text, identifiers, spec);
  const item = itemOf(answer, rule);
  const status = item?.status ?? answer.status;
  expect(answer.headers.get('idempotency-replayed')).toBeNull();
  switch (verdict) {
    case 'shown':
      expect(status).toBe(200);
      if (!rule.isCountOnly) expect(identifiers.filter((mark) => text.includes(mark))).not.toEqual([]);
      return expect(rule.countOrders?.(answer.body as never, text)).not.toBe(0);
    case 'hidden':
      expect([status, found]).toEqual([method === 'POST' ? 201 : 200, []]);
      return expect(rule.countOrders?.(answer.body as never, text) ?? ownCount).toBe(ownCount);
    case 'unknown':
      expect([status, found]).toEqual([404, []]);
      return expectUnknown(token, accessCase, answer);
    case 'refused': {
      const { code } = item?.problem ?? (answer.body as Problem);
      return expect([status, code]).toEqual([403, 'ROLE_NOT_ALLOWED']);
    }
    case 'same':
      return expect(status).toBe(200);
    case 'done':
      return expect(method === 'DELETE' ? [204] : [200, 201]).toContain(status);
    default:
      return verdict satisfies never;
  }
}

/** Checks that another vendor's order is answered like a missing one, even with conditions and an idempotency key. */
async function expectUnknown(token: Token, accessCase: AccessCase, answer: Received): Promise<void> {
  const { method, rule, subject } = accessCase;
  const id = randomUUID();
  const views = { private: id, shared: id, internal: id };
  const messages = { ...subject.messages, shown: id, internal: id };
  const missing = rule.request({ ...subject, poRef: 'ACCESS-NONE', notificationId: id, views, messages });
  expect(anonymous(answer, rule)).toEqual(anonymous(await sendAndCheck({ ...missing, method }, token), rule));
  const conditions = { 'if-none-match': '*', 'if-match': '"999"', 'idempotency-key': randomUUID() };
  const spec = rule.request(subject);
  const again = await sendAndCheck({ ...spec, method, headers: { ...spec.headers, ...conditions } }, token);
  expect(anonymous(again, rule)).toEqual(anonymous(answer, rule));
}
