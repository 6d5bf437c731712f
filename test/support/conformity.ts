import { deepStrictEqual } from 'node:assert/strict';
import { ERRORS, Problem, membersOf } from '@po/contracts';
import { z } from 'zod';
import type { Operation } from '../../services/gateway/src/routes/operation.js';
import { OPERATIONS } from '../../services/gateway/src/routes/operations.js';

interface Answer {
  status: number;
  headers: Headers;
  body: unknown;
  text: string;
}

const PROBLEM_MEDIA_TYPE = 'application/problem+json; charset=utf-8';

const ALL: Operation[] = Object.values(OPERATIONS);
const isPathOf = (template: string, path: string) =>
  new RegExp(`^${template.replaceAll(/:\w+/g, '[^/]+')}$`).test(path);

/**
 * Throws unless an answer is what is declared for it: that of its operation when it is good, else a problem document; with every
 * member that is declared and no other. `path` is behind `/api`.
 */
export function expectConformity(method: string, path: string, answer: Answer): void {
  const { status, headers, body, text } = answer;
  const shown = `${method} ${path} answered ${status}`;
  if (method === 'HEAD' || status === 204 || status === 304) {
    if (text !== '') throw new Error(`${shown} with a body`);
  } else if (status < 300) {
    const operation = ALL.find((one) => one.method === method && isPathOf(one.path, path.split('?', 1)[0] ?? ''));
    if (!operation) throw new Error(`${shown}, but no operation is declared for it`);
    const { reply } = operation;
    if (reply instanceof z.ZodType) expectExactly(reply, body, shown);
    else expectMedia(reply?.media ?? [], headers, shown);
  } else {
    const { success, data, error } = Problem.safeParse(body);
    if (!success) throw new Error(`${shown}, which is not what is declared: ${z.prettifyError(error)}`);
    const { status: told, code } = data;
    expectExactly(z.object({ ...Problem.shape, ...membersOf(code) }), body, shown);
    const mediaType = headers.get('content-type');
    deepStrictEqual([told, ERRORS[code].status, mediaType], [status, status, PROBLEM_MEDIA_TYPE]);
  }
}

function expectMedia(declared: readonly string[], headers: Headers, shown: string): void {
  const given = headers.get('content-type');
  if (given === null || !declared.includes(given)) throw new Error(`${shown} as ${given}`);
}

// The schemas drop what they do not name: nothing may be missing from what they made of the answer.
function expectExactly(schema: z.ZodType, body: unknown, shown: string): void {
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw new Error(`${shown}, which is not what is declared: ${z.prettifyError(parsed.error)}`);
  try {
    deepStrictEqual(body, parsed.data);
  } catch (error) {
    throw new Error(`${shown} with more than is declared: ${(error as Error).message}`, { cause: error });
  }
}
