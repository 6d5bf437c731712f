import { describe, expect, it } from '@jest/globals';
import { ApiProblem } from '@po/client';
import { isRefused, withMessage } from './conversation.js';
import type { Message } from './schemas.js';

const message = (id: string) => ({ id }) as Message;
const problem = (status: number) =>
  new ApiProblem({ status } as ApiProblem['document'], new Response(null, { status }));

describe('a message that was sent', () => {
  it.each([
    [problem(422), true],
    [problem(403), true],
    [problem(409), false],
    [problem(429), false],
    [problem(503), false],
    [new ApiProblem(null, new Response(null, { status: 400 })), false],
    [new TypeError('Failed to fetch'), false],
  ])('was refused for good by %s: %s', (error, is) => {
    expect(isRefused(error)).toBe(is);
  });

  it('is on top of the messages, once, wherever the stream was faster', () => {
    const pages = { pages: [[message('2')], [message('1')]], pageParams: [{}, {}] };
    const after = withMessage(pages, message('3'));
    expect(after.pages.map((page) => page.map(({ id }) => id))).toEqual([['3', '2'], ['1']]);
    expect(withMessage(after, message('1'))).toBe(after);
    expect(withMessage({ pages: [[]], pageParams: [{}] }, message('1')).pages).toEqual([[message('1')]]);
  });
});
