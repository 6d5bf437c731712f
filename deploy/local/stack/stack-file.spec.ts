import { expect, it, jest } from '@jest/globals';
import { type StackFile, refreshStackFile } from './stack-file.js';

it('tells that the file of a running stack cannot be written, and lets the stack run', async () => {
  const said = jest.spyOn(console, 'error').mockImplementation(() => undefined);
  refreshStackFile('/nowhere', {} as StackFile);
  expect(said).toHaveBeenCalledWith(
    '/nowhere/stack.json is not up to date:',
    expect.objectContaining({ code: 'ENOENT' }),
  );
  said.mockRestore();
});
