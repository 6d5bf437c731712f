import { afterEach, expect, it, jest } from '@jest/globals';
import { streamedOutput } from './output.js';

afterEach(() => {
  jest.restoreAllMocks();
});

it('the output without a terminal says that a process ended and was restarted', () => {
  const written = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  streamedOutput().notice('purchase-orders', 'ended (SIGKILL) and will be restarted');
  expect(written.mock.calls).toEqual([['  purchase-orders ended (SIGKILL) and will be restarted\n']]);
});
