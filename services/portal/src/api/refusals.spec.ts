import { describe, expect, it } from '@jest/globals';
import { ApiProblem } from '@po/client';
import { isRefused } from './refusals.js';

const problem = (status: number, code = 'X') =>
  new ApiProblem({ status, code } as ApiProblem['document'], new Response(null, { status }));

describe('isRefused', () => {
  it.each([
    [problem(422), true],
    [problem(403), true],
    [problem(412), true],
    [problem(409), true],
    [problem(409, 'IDEMPOTENCY_IN_PROGRESS'), false],
    [problem(401), false],
    [problem(429), false],
    [problem(503), false],
    [new ApiProblem(null, new Response(null, { status: 400 })), false],
    [new TypeError('Failed to fetch'), false],
  ])('tells whether the write was refused for good by %s: %s', (error, is) => {
    expect(isRefused(error)).toBe(is);
  });
});
