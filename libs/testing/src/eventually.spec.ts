import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { eventually } from './eventually.js';

it('a wait that times out shows the last error, also one that Node throws', async () => {
  const waiting = eventually('the file exists', () => readFile('/missing'), { timeoutMs: 0 });
  await expect(waiting).rejects.toThrow('the file exists; last: ENOENT');
});
