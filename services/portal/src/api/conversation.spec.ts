import { describe, expect, it } from '@jest/globals';
import { withMessage } from './conversation.js';
import type { Message } from './schemas.js';

const message = (id: string) => ({ id }) as Message;

describe('adding a sent message to the cached pages', () => {
  it('puts the message first, unless the live stream has already added it', () => {
    const pages = { pages: [[message('2')], [message('1')]], pageParams: [{}, {}] };
    const after = withMessage(pages, message('3'));
    expect(after.pages.map((page) => page.map(({ id }) => id))).toEqual([['3', '2'], ['1']]);
    expect(withMessage(after, message('1'))).toBe(after);
    expect(withMessage({ pages: [[]], pageParams: [{}] }, message('1')).pages).toEqual([[message('1')]]);
  });
});
