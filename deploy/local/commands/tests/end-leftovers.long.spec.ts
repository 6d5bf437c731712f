import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { REPOSITORY } from '../../repository.js';

it('a test run ends and fails if a test left something running', async () => {
  const rootDir = await mkdtemp(join(tmpdir(), 'po-left-'));
  await writeFile(join(rootDir, 'left.test.js'), "test('leaves', () => void setInterval(() => undefined, 1000));");
  const globalTeardown = join(REPOSITORY, 'deploy/local/commands/tests/end-leftovers.mjs');
  const config = JSON.stringify({ rootDir, globalTeardown, transform: {} });
  const jest = join(REPOSITORY, 'node_modules/jest/bin/jest.js');
  const child = spawn(process.execPath, [jest, '--runInBand', '--config', config], { cwd: rootDir });
  let printed = '';
  child.stderr.on('data', (chunk: Buffer) => (printed += String(chunk)));
  const [code] = (await once(child, 'close')) as [number];
  await rm(rootDir, { recursive: true });
  expect(printed).toContain('1 passed');
  expect(printed).toContain('a test left something running');
  expect(code).toBe(1);
});
