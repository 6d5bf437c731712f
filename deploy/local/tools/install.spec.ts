import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import type { Step } from '../progress.js';
import { installTools } from './install.js';
import {
  API_SERVER_TOOLS,
  BACKUP_TOOLS,
  BROWSER_TOOLS,
  DATE_TOOLS,
  DOCKER_TOOLS,
  TOOLS,
  type Tool,
  WEBKIT_TOOLS,
} from './tools.js';

const ECHO: Tool = { version: '1.0', source: { by: 'pip', requirement: 'echo==1.0' }, byHand: 'pip install echo==1.0' };
const LOUD: Tool = {
  version: '2.0',
  source: { by: 'apt', package: 'loud', file: 'bin/loud' },
  byHand: 'apt-get install loud',
};
const TREE: Tool = {
  version: '3.0',
  source: { by: 'apt-tree', packages: ['tree', 'root'], file: 'bin/tree' },
  byHand: 'apt-get install tree root',
};

const path = process.env['PATH'];
let dir: string;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'po-tools-'));
  // Simulates a machine without any programs.
  process.env['PATH'] = dir;
});
afterEach(async () => {
  process.env['PATH'] = path;
  await rm(dir, { recursive: true });
});

const steps: string[] = [];
const step: Step = (label, work) => {
  steps.push(label);
  return work();
};
const install = (tools: Record<string, Tool>, signal?: AbortSignal) =>
  installTools(join(dir, 'tools'), tools, step, signal);

it('installTools fails with every tool that cannot be installed and the command to install it by hand', async () => {
  const failure = await install({ echo: ECHO, loud: LOUD, tree: TREE }).then(String, String);
  expect(failure).toMatch(/echo: pip install echo==1.0\n.*python3 is not installed or not on the PATH/);
  expect(failure).toMatch(/loud: apt-get install loud\n.*apt-get is not installed or not on the PATH/);
  expect(failure).toMatch(/tree: apt-get install tree root\n.*apt-get is not installed or not on the PATH/);
});

it('installTools installs nothing after an interruption', async () => {
  const before = steps.length;
  await expect(install({ echo: ECHO, tree: TREE }, AbortSignal.abort())).rejects.toThrow('interrupted');
  expect(steps).toHaveLength(before);
});

it('every tool has a command to install it by hand', () => {
  const tools: Tool[] = [
    TOOLS,
    API_SERVER_TOOLS,
    DOCKER_TOOLS,
    DATE_TOOLS,
    BROWSER_TOOLS,
    WEBKIT_TOOLS,
    BACKUP_TOOLS,
  ].flatMap((some) => Object.values(some));
  expect(tools.filter(({ byHand }) => !/^(go|pip|apt-get|cd) /.test(byHand))).toEqual([]);
});

it('installTools skips an installed tool, and reinstalls one that is missing, moved or of another version', async () => {
  await install({ echo: ECHO }).catch(() => undefined);
  const installed = (bin: string) =>
    writeFile(join(dir, 'tools/lib/echo.installed'), JSON.stringify({ version: '1.0', source: ECHO.source, bin }));
  const [bin, program] = [join(dir, 'tools/bin'), join(dir, 'tools/bin/echo')];
  await installed(bin);
  await expect(install({ echo: ECHO })).rejects.toThrow('tools are missing');
  await writeFile(program, '');
  await installed('/elsewhere/tools/bin');
  await expect(install({ echo: ECHO })).rejects.toThrow('tools are missing');
  await writeFile(program, '');
  await installed(bin);
  steps.length = 0;
  expect(await install({ echo: ECHO })).toBe(bin);
  expect(steps).toEqual([]);
  await expect(install({ echo: { ...ECHO, version: '1.1' } })).rejects.toThrow('tools are missing');
  expect(steps).toEqual(['install echo 1.1']);
});

it.each([
  ['install', null],
  ['update', '0.9'],
])('installTools accepts a program put into the named folder by hand if it cannot %s one', async (_what, old) => {
  const bin = join(dir, 'tools/bin');
  const failing = () => expect(install({ echo: ECHO })).rejects.toThrow(`put each under its name into ${bin}`);
  await failing();
  if (old !== null) {
    await writeFile(join(bin, 'echo'), '');
    await writeFile(join(dir, 'tools/lib/echo.installed'), old);
    await failing();
    // The old program does not count as put there by hand.
    await failing();
  }
  await writeFile(join(bin, 'echo'), '');
  expect(await install({ echo: ECHO })).toBe(bin);
});
