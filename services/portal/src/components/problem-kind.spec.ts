import { describe, expect, it } from '@jest/globals';
import { ApiProblem } from '@po/client';
import { problemKindOf } from './problem-kind.js';

describe('how a failure is shown', () => {
  it.each([
    [403, 'forbidden'],
    [404, 'unknown'],
    [429, 'busy'],
    [503, 'unreachable'],
    [504, 'unreachable'],
    [500, 'problem'],
    [409, 'problem'],
  ])('of the API with %s', (status, kind) => {
    expect(problemKindOf(new ApiProblem(null, new Response(null, { status })))).toBe(kind);
  });

  it.each([
    [new TypeError('Failed to fetch'), 'unreachable'],
    [new TypeError('NetworkError when attempting to fetch resource.'), 'unreachable'],
    [new TypeError('Failed to fetch dynamically imported module: /assets/a.js'), 'outdated'],
    [new TypeError('x is not a function'), 'problem'],
    ['a text', 'problem'],
  ])('of the page: %s', (error, kind) => {
    expect(problemKindOf(error)).toBe(kind);
  });
});
