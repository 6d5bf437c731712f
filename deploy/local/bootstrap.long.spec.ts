import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  chmod,
  copyFile,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  realpath,
  rename,
  rm,
  stat,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { REPOSITORY } from './repository.js';

let repository: string;
/** Where it notes who installs. */
let lock: string;

/** A program that notes that it was called, and with what. */
async function program(path: string, does = ''): Promise<void> {
  await writeFile(path, `#!/bin/sh\necho "$@" >> "${repository}/calls-$(basename "$0")"\n${does}\n`);
  await chmod(path, 0o755);
}

// A repository with nothing but what the bootstrap touches.
beforeEach(async () => {
  repository = await realpath(await mkdtemp(join(tmpdir(), 'po-bootstrap-')));
  await mkdir(join(repository, 'deploy/local'), { recursive: true });
  await mkdir(join(repository, 'node_modules/.bin'), { recursive: true });
  await mkdir(join(repository, 'bin'));
  await copyFile(join(REPOSITORY, 'deploy/local/bootstrap.mjs'), join(repository, 'deploy/local/bootstrap.mjs'));
  await writeFile(join(repository, 'package-lock.json'), '{}');
  await writeFile(join(repository, 'package.json'), '{}');
  await mkdir(join(repository, 'libs/client'), { recursive: true });
  const generates = `import { writeFileSync } from 'node:fs'; writeFileSync('${repository}/generated', '');`;
  await writeFile(join(repository, 'libs/client/generate-types.mjs'), generates);
  await program(join(repository, 'node_modules/.bin/tsc'));
  await program(join(repository, 'node_modules/.bin/node'));
  await program(join(repository, 'bin/npm'), 'sleep 0.3');
  lock = join(repository, `po-install-${hash(`${repository}/`).slice(0, 16)}`);
});
afterEach(() => rm(repository, { recursive: true, force: true }));

const bootstrap = () => join(repository, 'deploy/local/bootstrap.mjs');
const options = (variables: Record<string, string> = {}) => ({
  env: {
    ...process.env,
    PATH: `${repository}/bin:${process.env['PATH']}`,
    TMPDIR: repository,
    npm_lifecycle_event: '',
    ...variables,
  },
  // For one that would wait for ever.
  timeout: 20_000,
  killSignal: 'SIGKILL' as const,
});
const start = (variables: Record<string, string>, args: readonly string[]): ChildProcess =>
  spawn(process.execPath, [bootstrap(), 'token', ...args], { ...options(variables), stdio: 'ignore' });

async function commands(
  count: number,
  variables: Record<string, string> = {},
  args: readonly string[] = [],
): Promise<unknown[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const [code] = (await once(start(variables, args), 'exit')) as [unknown];
      return code;
    }),
  );
}

const hash = (text: string) => createHash('sha256').update(text).digest('hex');
const stamp = () => readFile(join(repository, 'node_modules/.installed-lockfile'), 'utf8');
const callsOf = async (name: string) =>
  (await readFile(join(repository, `calls-${name}`), 'utf8').catch(() => '')).split('\n').filter(Boolean);

it('installs once for concurrent commands, all of which wait for it', async () => {
  expect(await commands(4)).toEqual([0, 0, 0, 0]);
  expect(await callsOf('npm')).toHaveLength(1);
  expect(await callsOf('node')).toHaveLength(4);
  expect(await stamp()).toBe(hash('{}'));
  expect((await readdir(join(repository, 'node_modules'))).toSorted()).toEqual([
    '.bin',
    '.cache',
    '.installed-lockfile',
  ]);
});

it('runs only the install scripts of packages that are allowed and installed', async () => {
  await mkdir(join(repository, 'node_modules/@s/good'), { recursive: true });
  await mkdir(join(repository, 'node_modules/bad'));
  const allowScripts = { '@s/good': true, bad: false, absent: true };
  await writeFile(join(repository, 'package.json'), JSON.stringify({ allowScripts }));
  await commands(1);
  const [install = '', ...more] = await callsOf('npm');
  expect(install).toMatch(/^ci --ignore-scripts /);
  expect(more).toEqual([
    'rebuild --ignore-scripts=false --include=dev --include=optional --loglevel=error --engine-strict=false --global=false @s/good',
  ]);
});

it('installs from the beginning after an installation that was interrupted or failed', async () => {
  await mkdir(join(repository, 'node_modules/good'));
  await writeFile(join(repository, 'package.json'), JSON.stringify({ allowScripts: { good: true } }));
  const installs = `touch "${repository}/node_modules/.package-lock.json"`;
  await program(join(repository, 'bin/npm'), `${installs}; test "$1" = ci`);
  expect(await commands(1)).toEqual([1]);
  await program(join(repository, 'bin/npm'), installs);
  expect(await commands(1)).toEqual([0]);
  const calls = (await callsOf('npm')).map((line) => line.split(' ', 1)[0]);
  expect(calls).toEqual(['ci', 'rebuild', 'ci', 'rebuild']);
});

it('installs all packages where the environment says production, and nothing of it reaches what is started', async () => {
  const npm = join(repository, 'bin/npm');
  await program(npm, `test -z "$NODE_ENV"`);
  expect(await commands(1, { NODE_ENV: 'production' })).toEqual([0]);
  expect((await callsOf('npm'))[0]).toContain('--include=dev');
});

it('takes the comment behind a command for no argument, and asks this machine without a proxy', async () => {
  const node = join(repository, 'node_modules/.bin/node');
  await program(node, `test "$NO_PROXY" = 127.0.0.1,localhost,example.com`);
  const pasted = ['--as', 'buyer', '#', 'prints', 'a', 'token'];
  expect(await commands(1, { NO_PROXY: 'example.com' }, pasted)).toEqual([0]);
  expect((await callsOf('node'))[0]).toMatch(/token\.js --as buyer$/);
});

it('runs them with the current npm, which skips packages that are not allowed, also where its settings say to run none', async () => {
  const pack = async (name: string): Promise<string> => {
    const folder = join(repository, 'sources', name);
    await mkdir(folder, { recursive: true });
    const scripts = { postinstall: `echo ${name} >> "${repository}/ran"` };
    await writeFile(join(folder, 'package.json'), JSON.stringify({ name, version: '1.0.0', scripts }));
    return `file:${folder}`;
  };
  const dependencies = { good: await pack('good'), bad: await pack('bad'), unlisted: await pack('unlisted') };
  const project = { name: 'project', version: '1.0.0', dependencies, allowScripts: { good: true, bad: false } };
  await writeFile(join(repository, 'package.json'), JSON.stringify(project));
  // As copies, as from a registry: what is linked has scripts of its own.
  await writeFile(join(repository, '.npmrc'), 'install-links=true\nignore-scripts=true\n');
  await rm(join(repository, 'bin/npm'));
  const npm = spawn('npm', ['install', '--package-lock-only', '--ignore-scripts'], { cwd: repository });
  expect(await once(npm, 'exit')).toEqual([0, null]);
  await rm(join(repository, 'node_modules'), { recursive: true });
  // It ends where it would build: there is no compiler.
  await commands(1);
  expect(await readdir(join(repository, 'node_modules'))).toEqual(expect.arrayContaining(['good', 'bad', 'unlisted']));
  expect(await readFile(join(repository, 'ran'), 'utf8')).toBe('good\n');
});

it('installs what was installed by hand without its scripts, which bring Node', async () => {
  const node = join(repository, 'node_modules/.bin/node');
  await writeFile(join(repository, 'node_modules/.package-lock.json'), '{}');
  expect(await commands(1)).toEqual([0]);
  expect(await callsOf('npm')).toEqual([]);
  await rename(node, join(repository, 'node-of-scripts'));
  await program(join(repository, 'bin/npm'), `cp "${repository}/node-of-scripts" "${node}"`);
  expect(await commands(1)).toEqual([0]);
  await rm(node);
  await rm(join(repository, 'node_modules/.installed-lockfile'));
  expect(await commands(1)).toEqual([0]);
  expect(await callsOf('npm')).toHaveLength(2);
});

it('compiles only after the types of the client are generated', async () => {
  await program(join(repository, 'node_modules/.bin/tsc'), `test -e "${repository}/generated"`);
  expect(await commands(1)).toEqual([0]);
  await writeFile(join(repository, 'libs/client/generate-types.mjs'), 'process.exit(3);');
  const compiled = await callsOf('tsc');
  expect(await commands(1)).toEqual([3]);
  expect(await callsOf('tsc')).toEqual(compiled);
});

it('writes no stamp when everything is installed, so that no process reads half of one', async () => {
  const path = join(repository, 'node_modules/.installed-lockfile');
  await writeFile(path, hash('{}'));
  const before = await stat(path, { bigint: true });
  expect(await commands(4)).toEqual([0, 0, 0, 0]);
  expect(await callsOf('npm')).toEqual([]);
  const { ino, mtimeNs } = await stat(path, { bigint: true });
  expect([ino, mtimeNs]).toEqual([before.ino, before.mtimeNs]);
});

it('installs again when the lockfile has changed', async () => {
  await commands(1);
  await writeFile(join(repository, 'package-lock.json'), '{ }');
  await commands(1);
  expect(await callsOf('npm')).toHaveLength(2);
});

const LONG_AGO = new Date('2026-01-05');

it.each([
  ['that was killed before it said its number', []],
  ['for whose number the disk had no room', ['']],
  ['whose file has no number of a process', ['-1']],
])('takes over the lock of a command %s', async (_what, files) => {
  await mkdir(lock);
  for (const text of files) await writeFile(join(lock, 'pid'), text);
  await utimes(lock, LONG_AGO, LONG_AGO);
  expect(await commands(1)).toEqual([0]);
  expect(await callsOf('npm')).toHaveLength(1);
});

it('takes over the lock of a command that had the number which this one has', async () => {
  const script = 'mkdir "$1" && echo $$ > "$1/pid" && exec "$2" "$3" token';
  const child = spawn('sh', ['-c', script, 'sh', lock, process.execPath, bootstrap()], options());
  expect(await once(child, 'exit')).toEqual([0, null]);
});

it('says which process it waits for, and ends by Ctrl-C', async () => {
  await mkdir(lock);
  await writeFile(join(lock, 'pid'), String(process.pid));
  const child = spawn(process.execPath, [bootstrap(), 'token'], options());
  let said = '';
  const isTold = new Promise((resolve) =>
    child.stderr.on('data', (text: Buffer) => resolve((said += text.toString()))),
  );
  const ended = once(child, 'close');
  await Promise.race([isTold, ended]);
  child.kill('SIGINT');
  expect(await ended).toEqual([130, null]);
  expect(said).toMatch(new RegExp(`^waiting for process ${process.pid} .*\\n$`));
  expect(await readFile(join(lock, 'pid'), 'utf8')).toBe(String(process.pid));
});

it('leaves the lock of another command alone when it ends', async () => {
  const others = `mkdir "${lock}" && echo ${process.pid} > "${lock}/pid"`;
  await program(join(repository, 'node_modules/.bin/node'), others);
  expect(await commands(1)).toEqual([0]);
  expect(await readFile(join(lock, 'pid'), 'utf8')).toBe(`${process.pid}\n`);
});

it('installs again after an interrupted installation of another lockfile', async () => {
  await commands(1);
  await writeFile(join(repository, 'package-lock.json'), '{ }');
  await program(join(repository, 'bin/npm'), 'exit 1');
  expect(await commands(1)).toEqual([1]);
  await writeFile(join(repository, 'package-lock.json'), '{}');
  await program(join(repository, 'bin/npm'));
  expect(await commands(1)).toEqual([0]);
  expect(await callsOf('npm')).toHaveLength(3);
});

it.each([',', '#', '$'])('says that it cannot work in a folder with a %s in its path', async (character) => {
  const folder = join(repository, `a${character}b`, 'deploy/local');
  await mkdir(folder, { recursive: true });
  await copyFile(bootstrap(), join(folder, 'bootstrap.mjs'));
  const child = spawn(process.execPath, [join(folder, 'bootstrap.mjs'), 'token'], { ...options(), stdio: 'pipe' });
  const [[code], errors] = await Promise.all([once(child, 'exit'), text(child.stderr)]);
  expect([code, errors]).toEqual([1, expect.stringContaining(`has a ${character}, which`)]);
});

it('tells of a folder for temporary files that is not there', async () => {
  const child = spawn(process.execPath, [bootstrap(), 'token'], options({ TMPDIR: '/nowhere' }));
  const [[code], errors] = await Promise.all([once(child, 'exit'), text(child.stderr)]);
  expect([code, errors]).toEqual([1, 'there is no folder /nowhere for temporary files: make it, or correct TMPDIR\n']);
});
