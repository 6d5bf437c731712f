import { expect, it, jest } from '@jest/globals';
import { type StackFile, refreshStackFile } from './stack-file.js';

it('refreshStackFile only logs an error if the file cannot be written, so that the stack keeps running', async () => {
  const logged = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  refreshStackFile('/nowhere', {} as StackFile);
  expect(logged).toHaveBeenCalledWith(
    '/nowhere/stack.json is not up to date:',
    expect.objectContaining({ code: 'ENOENT' }),
  );
  logged.mockRestore();
});
