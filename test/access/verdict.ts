import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import type { Answer, Api } from '../support/api-client.js';
import { type Asked, type Rule, STRANGERS, type Stranger, type Subject, type Verdict } from './rules.js';

export type Method = 'GET' | 'PATCH' | 'POST' | 'PUT' | 'DELETE';
type Headers = Record<string, string>;

export interface Question {
  method: Method;
  rule: Rule;
  subject: Subject;
  /** What tells of the own vendor or of its order. */
  marks: readonly string[];
  headers?: Headers;
}

interface Problem {
  status: number;
  code: string;
  requestId: string;
  instance: string;
}
type Item = Partial<Subject> & { status: number; problem: Problem | null };

const CSV = { 'content-type': 'text/csv' };

const send = (
  api: Api,
  method: Method | 'HEAD',
  { path, body }: Asked,
  headers: Headers = {},
): Promise<Answer<unknown>> =>
  api[method.toLowerCase() as Lowercase<Method | 'HEAD'>](path, body, {
    ...headers,
    ...(typeof body === 'string' ? CSV : {}),
  });

/** The one item of a batch, unless the batch was refused as a whole. */
const itemOf = ({ body }: Answer<unknown>, { isItem }: Rule): Item | undefined =>
  isItem ? (body as { results?: Item[] }).results?.[0] : undefined;

/** What of an answer is the same for every order that there is none of. */
function anonymous(answer: Answer<unknown>, rule: Rule): unknown {
  const nobodys = { requestId: '', instance: '', poRef: '' };
  const item = itemOf(answer, rule);
  if (item) return { ...item, ...nobodys, problem: { ...item.problem, ...nobodys } };
  return { ...(answer.body as object), status: answer.status, ...nobodys };
}

/** What an answer shows of the own vendor, beyond what was asked for by its name. */
const shown = (text: string, marks: readonly string[], asked: Asked): string[] =>
  marks.filter((mark) => text.includes(mark) && !JSON.stringify(asked).includes(mark));

/** Holds what a stranger is answered to what strangers are answered everywhere. */
export async function expectStranger(api: Api, stranger: Stranger, question: Question): Promise<void> {
  const { method, rule, subject, marks } = question;
  const asked = rule.request(subject);
  const { status, text, body } = await send(api, method, asked);
  expect([status, (body as Problem).code]).toEqual(Object.values(STRANGERS[stranger]));
  expect(shown(text, marks, asked)).toEqual([]);
  if (method === 'GET') expect((await send(api, 'HEAD', asked)).status).toBe(status);
}

/** Holds what a caller is answered to a verdict. `ownCount`: how many orders it may be told of where it is shown none of these. */
export async function expectVerdict(api: Api, verdict: Verdict, question: Question, ownCount: number): Promise<void> {
  const { method, rule, subject, marks, headers } = question;
  const asked = rule.request(subject);
  const answer = await send(api, method, asked, headers);
  const { text } = answer;
  if (method === 'GET') expect(await send(api, 'HEAD', asked)).toMatchObject({ status: answer.status, text: '' });
  const found = shown(text, marks, asked);
  const item = itemOf(answer, rule);
  const status = item?.status ?? answer.status;
  expect(answer.headers.get('idempotency-replayed')).toBeNull();
  switch (verdict) {
    case 'shown':
      expect(status).toBe(200);
      if (!rule.isNumber) expect(marks.filter((mark) => text.includes(mark))).not.toEqual([]);
      return expect(rule.counted?.(answer.body as never, text)).not.toBe(0);
    case 'hidden':
      expect([status, found]).toEqual([200, []]);
      return expect(rule.counted?.(answer.body as never, text) ?? ownCount).toBe(ownCount);
    case 'unknown':
      expect([status, found]).toEqual([404, []]);
      return expectUnknown(api, question, answer);
    case 'refused': {
      const { code } = item?.problem ?? (answer.body as Problem);
      return expect([status, code]).toEqual([403, 'ROLE_NOT_ALLOWED']);
    }
    case 'alike':
      return expect(status).toBe(200);
    case 'done':
      return expect(status).toBe(method === 'DELETE' ? 204 : 200);
    default:
      return verdict satisfies never;
  }
}

/** No condition and no key tells more than that there is none. */
async function expectUnknown(api: Api, question: Question, answer: Answer<unknown>): Promise<void> {
  const { method, rule, subject } = question;
  const nowhere = rule.request({ ...subject, poRef: 'ACCESS-NONE', notificationId: randomUUID() });
  expect(anonymous(answer, rule)).toEqual(anonymous(await send(api, method, nowhere), rule));
  const conditions = { 'if-none-match': '*', 'if-match': '"999"', 'idempotency-key': randomUUID() };
  const again = await send(api, method, rule.request(subject), conditions);
  expect(anonymous(again, rule)).toEqual(anonymous(answer, rule));
}
