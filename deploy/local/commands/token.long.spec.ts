import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { childEnvironment } from '../config.js';
import { recordProcesses } from '../processes/leftovers.js';
import { outcomeOf, run } from '../processes/run.js';

const PROGRAM = new URL('../dist/commands/token.js', import.meta.url).pathname;

it('npm run token prints a token, but only names the external identity provider of a running stack that has one', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'po-token-'));
  const env = childEnvironment({ PO_LOCAL_DIR: dir, AUTH_JWKS_URL: null });
  const token = () => run(process.execPath, [PROGRAM, '--as', 'buyer'], { env });
  const stack = { jwksUrl: 'https://id.example/jwks', issuer: 'https://id.example', audience: 'orders' };
  const write = (tokens: object) => writeFile(join(dir, 'stack.json'), JSON.stringify({ ...stack, tokens }));
  expect(await token()).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
  const { output, text } = await outcomeOf(process.execPath, [PROGRAM, '--as', 'buyer'], { env });
  const notice = `no stack runs in ${dir}: this token is only valid for a stack started with that folder\n`;
  expect(text.replace(output, '')).toBe(notice);
  await write({ buyer: 'x' });
  expect(await token()).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
  await write({});
  expect(await token()).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
  recordProcesses(dir, []);
  await expect(token()).rejects.toThrow('external identity provider, https://id.example/jwks');
  await rm(dir, { recursive: true });
});
