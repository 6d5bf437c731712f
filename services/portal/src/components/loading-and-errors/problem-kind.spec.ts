import { describe, expect, it } from '@jest/globals';
import { ApiProblem } from '@po/client';
import { refusal } from '../../fixtures/refusal.js';
import { problemKindOf, reasonOf } from './problem-kind.js';
import { STATES } from './texts.js';

describe('a failure shown to the user', () => {
  it.each([
    [403, 'forbidden'],
    [404, 'unknown'],
    [429, 'busy'],
    [503, 'unreachable'],
    [504, 'unreachable'],
    [500, 'problem'],
    [409, 'problem'],
  ])('of the API with status %s is of the kind %s', (status, kind) => {
    expect(problemKindOf(new ApiProblem(null, new Response(null, { status })))).toBe(kind);
  });

  it.each([
    [new TypeError('Failed to fetch'), 'unreachable'],
    [new TypeError('NetworkError when attempting to fetch resource.'), 'unreachable'],
    [new TypeError('Failed to fetch dynamically imported module: /assets/a.js'), 'outdated'],
    [new TypeError('x is not a function'), 'problem'],
    ['a text', 'problem'],
  ])('of the page, "%s", is of the kind %s', (error, kind) => {
    expect(problemKindOf(error)).toBe(kind);
  });

  it("has text in the user's language: that of the API, never that of a browser or proxy", async () => {
    const localized = await ApiProblem.of(refusal(409, { detail: '订单已变化' }));
    const busy = new ApiProblem(null, new Response(null, { status: 429, headers: { 'retry-after': '7' } }));
    const proxy = await ApiProblem.of(new Response('<html>', { status: 502 }));
    const failed = new TypeError('Failed to fetch');
    expect([localized, busy, proxy, failed, new Error('x')].map((error) => reasonOf(error, STATES.zh))).toEqual([
      '订单已变化',
      '7 秒后可以继续。',
      STATES.zh.unreachable.text,
      STATES.zh.unreachable.text,
      STATES.zh.problem.text,
    ]);
  });

  it.each([
    ['VENDOR_NOT_LINKED', 'From the API'],
    ['ROLE_NOT_ALLOWED', STATES.en.forbidden.text],
  ] as const)('without access has the reason of the API only if it is more specific: %s', async (code, reason) => {
    expect(reasonOf(await ApiProblem.of(refusal(403, { code, detail: 'From the API' })), STATES.en)).toBe(reason);
  });

  it('names the fields that the API refuses', async () => {
    const errors = [{ in: 'query', pointer: '/due', code: 'INVALID', message: 'must be SOON or LATE' }];
    const problem = await ApiProblem.of(refusal(400, { code: 'VALIDATION_FAILED', detail: 'See errors[].', errors }));
    expect(reasonOf(problem, STATES.en)).toBe('Not accepted: due must be SOON or LATE.');
  });
});
