import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import type { Received } from './conformity.js';
import {
  type Asked,
  type Rule,
  REJECTED_CALLERS,
  type RejectedCaller,
  type Subject,
  type Verdict,
} from '../../deploy/documents/access-rules/rule.js';
import { ask } from './send.js';

export interface AccessCase {
  method: string;
  rule: Rule;
  subject: Subject;
  /** What tells of the own vendor or of its order. */
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

/** The one item of a batch, unless the batch was refused as a whole. */
const itemOf = ({ body }: Received, { isItem }: Rule): Item | undefined =>
  isItem ? (body as { results?: Item[] }).results?.[0] : undefined;

/** What of an answer is the same for every order that there is none of. */
function anonymous(answer: Received, rule: Rule): unknown {
  const nobodys = { requestId: '', instance: '', poRef: '' };
  const item = itemOf(answer, rule);
  if (item) return { ...item, ...nobodys, problem: { ...item.problem, ...nobodys } };
  return { ...(answer.body as object), status: answer.status, ...nobodys };
}

/** What an answer shows of the own vendor, beyond what was asked for by its name. */
const shown = (text: string, identifiers: readonly string[], asked: Asked): string[] =>
  identifiers.filter((mark) => text.includes(mark) && !JSON.stringify(asked).includes(mark));

/** Sends a request as a caller who is rejected everywhere, and compares the answer. */
export async function expectRejection(token: Token, caller: RejectedCaller, accessCase: AccessCase): Promise<void> {
  const { method, rule, subject, identifiers } = accessCase;
  const asked = rule.request(subject);
  const { status, text, body } = await ask({ ...asked, method }, token);
  expect([status, (body as Problem).code]).toEqual(Object.values(REJECTED_CALLERS[caller]));
  expect(shown(text, identifiers, asked)).toEqual([]);
  if (method === 'GET') expect((await ask({ ...asked, method: 'HEAD' }, token)).status).toBe(status);
}

/** Sends a request as a caller and compares the answer with a verdict. `ownCount`: how many orders of its own the caller sees. */
export async function expectVerdict(
  token: Token,
  verdict: Verdict,
  accessCase: AccessCase,
  ownCount: number,
): Promise<void> {
  const { method, rule, subject, identifiers, headers } = accessCase;
  const asked = rule.request(subject);
  const answer = await ask({ ...asked, method, headers: { ...asked.headers, ...headers } }, token);
  const { text } = answer;
  if (method === 'GET')
    expect(await ask({ ...asked, method: 'HEAD' }, token)).toMatchObject({ status: answer.status, text: '' });
  const found = shown(text, identifiers, asked);
  const item = itemOf(answer, rule);
  const status = item?.status ?? answer.status;
  expect(answer.headers.get('idempotency-replayed')).toBeNull();
  switch (verdict) {
    case 'shown':
      expect(status).toBe(200);
      if (!rule.isNumber) expect(identifiers.filter((mark) => text.includes(mark))).not.toEqual([]);
      return expect(rule.counted?.(answer.body as never, text)).not.toBe(0);
    case 'hidden':
      expect([status, found]).toEqual([method === 'POST' ? 201 : 200, []]);
      return expect(rule.counted?.(answer.body as never, text) ?? ownCount).toBe(ownCount);
    case 'unknown':
      expect([status, found]).toEqual([404, []]);
      return expectUnknown(token, accessCase, answer);
    case 'refused': {
      const { code } = item?.problem ?? (answer.body as Problem);
      return expect([status, code]).toEqual([403, 'ROLE_NOT_ALLOWED']);
    }
    case 'alike':
      return expect(status).toBe(200);
    case 'done':
      return expect(method === 'DELETE' ? [204] : [200, 201]).toContain(status);
    default:
      return verdict satisfies never;
  }
}

/** An order of another vendor is answered as one that does not exist, also with conditions and an idempotency key. */
async function expectUnknown(token: Token, accessCase: AccessCase, answer: Received): Promise<void> {
  const { method, rule, subject } = accessCase;
  const id = randomUUID();
  const views = { private: id, shared: id, internal: id };
  const messages = { ...subject.messages, shown: id, internal: id };
  const nowhere = rule.request({ ...subject, poRef: 'ACCESS-NONE', notificationId: id, views, messages });
  expect(anonymous(answer, rule)).toEqual(anonymous(await ask({ ...nowhere, method }, token), rule));
  const conditions = { 'if-none-match': '*', 'if-match': '"999"', 'idempotency-key': randomUUID() };
  const asked = rule.request(subject);
  const again = await ask({ ...asked, method, headers: { ...asked.headers, ...conditions } }, token);
  expect(anonymous(again, rule)).toEqual(anonymous(answer, rule));
}
