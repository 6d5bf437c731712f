import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Processes } from '../processes/processes.js';
import { composeStores, temporaryComposeStores } from './compose-stores.js';

const path = process.env['PATH'];
let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'po-compose-'));
  // Records the calls instead of starting containers.
  await writeFile(join(dir, 'docker'), `#!/bin/sh\necho "$@" >> "${dir}/calls"\necho 1\n`, { mode: 0o755 });
  process.env['PATH'] = `${dir}:${path}`;
});
afterEach(async () => {
  process.env['PATH'] = path;
  await rm(dir, { recursive: true });
});

it.each([
  ['the stores of npm start keep their containers and data', composeStores, / stop$/],
  ['temporary stores remove their containers and data', temporaryComposeStores, / down -v$/],
])('after a stop, %s', async (_title, start, last) => {
  const processes = new Processes(dir);
  await start({ dir, processes, step: (_label, work) => work(), fresh: false });
  await processes.stop();
  const calls = (await readFile(join(dir, 'calls'), 'utf8')).trim().split('\n');
  expect(calls.at(-1)).toMatch(last);
});
