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
import { eventually } from '@po/testing/eventually';
import { REPOSITORY } from './repository.js';

let repository: string;
/** The lock folder of the installation. */
let lock: string;

/** Creates a program that records the arguments of each call. */
async function program(path: string, does = ''): Promise<void> {
  await writeFile(path, `#!/bin/sh\necho "$@" >> "${repository}/calls-$(basename "$0")"\n${does}\n`);
  await chmod(path, 0o755);
}

// A repository with only the files that the bootstrap uses.
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
  // Ends a command that would otherwise wait forever.
  timeout: 120_000,
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

it('bootstrap installs only once for concurrent commands, which all wait for it', async () => {
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

it('bootstrap runs only the install scripts of packages that are allowed and installed', async () => {
  await mkdir(join(repository, 'node_modules/@s/good'), { recursive: true });
  await mkdir(join(repository, 'node_modules/bad'));
  const allowScripts = { '@s/good': true, bad: false, absent: true };
  await writeFile(join(repository, 'package.json'), JSON.stringify({ allowScripts }));
  await commands(1);
  const [install = '', ...more] = await callsOf('npm');
  expect(install).toMatch(/^ci --ignore-scripts /);
  expect(more).toEqual([
    expect.stringMatching(
      /^rebuild --ignore-scripts=false --include=dev .* --engine-strict=false --global=false @s\/good$/,
    ),
  ]);
});

it('bootstrap starts the installation again from the beginning after a failed one', async () => {
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

it('bootstrap installs peer packages despite settings of npm, because the portal needs one', async () => {
  expect(await commands(1)).toEqual([0]);
  expect((await callsOf('npm'))[0]).toMatch(/^ci .* --include=peer --legacy-peer-deps=false /);
});

it('bootstrap installs all packages despite NODE_ENV=production, and does not pass NODE_ENV on', async () => {
  const npm = join(repository, 'bin/npm');
  await program(npm, `test -z "$NODE_ENV"`);
  expect(await commands(1, { NODE_ENV: 'production' })).toEqual([0]);
  expect((await callsOf('npm'))[0]).toContain('--include=dev');
});

it('bootstrap ignores a pasted comment after the command, excludes this machine from the proxy, and verifies certificates', async () => {
  const node = join(repository, 'node_modules/.bin/node');
  await program(node, `test "$NO_PROXY$NODE_TLS_REJECT_UNAUTHORIZED" = 127.0.0.1,localhost,example.com`);
  const pasted = ['--as', 'buyer', '#', 'prints', 'a', 'token'];
  expect(await commands(1, { NO_PROXY: 'example.com', NODE_TLS_REJECT_UNAUTHORIZED: '0' }, pasted)).toEqual([0]);
  expect((await callsOf('node'))[0]).toMatch(/token\.js --as buyer$/);
});

it('the current npm runs the scripts of allowed packages only, even if its settings ignore all scripts', async () => {
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
  // Install copies, as from a registry, because npm always runs the scripts of linked packages.
  await writeFile(join(repository, '.npmrc'), 'install-links=true\nignore-scripts=true\n');
  await rm(join(repository, 'bin/npm'));
  const npm = spawn('npm', ['install', '--package-lock-only', '--ignore-scripts'], { cwd: repository });
  expect(await once(npm, 'exit')).toEqual([0, null]);
  await rm(join(repository, 'node_modules'), { recursive: true });
  // The command fails at the build, because there is no compiler.
  await commands(1);
  expect(await readdir(join(repository, 'node_modules'))).toEqual(expect.arrayContaining(['good', 'bad', 'unlisted']));
  expect(await readFile(join(repository, 'ran'), 'utf8')).toBe('good\n');
});

it('bootstrap accepts a manual installation, but repeats one without install scripts, because they provide Node', async () => {
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

it('bootstrap compiles only after the types of the client are generated', async () => {
  await program(join(repository, 'node_modules/.bin/tsc'), `test -e "${repository}/generated"`);
  expect(await commands(1)).toEqual([0]);
  await writeFile(join(repository, 'libs/client/generate-types.mjs'), 'process.exit(3);');
  const compiled = await callsOf('tsc');
  expect(await commands(1)).toEqual([3]);
  expect(await callsOf('tsc')).toEqual(compiled);
});

it('bootstrap does not rewrite the stamp if everything is installed, so that no process reads a partial one', async () => {
  const path = join(repository, 'node_modules/.installed-lockfile');
  await writeFile(path, hash('{}'));
  const before = await stat(path, { bigint: true });
  expect(await commands(4)).toEqual([0, 0, 0, 0]);
  expect(await callsOf('npm')).toEqual([]);
  const { ino, mtimeNs } = await stat(path, { bigint: true });
  expect([ino, mtimeNs]).toEqual([before.ino, before.mtimeNs]);
});

it('bootstrap installs again after the lockfile has changed', async () => {
  await commands(1);
  await writeFile(join(repository, 'package-lock.json'), '{ }');
  await commands(1);
  expect(await callsOf('npm')).toHaveLength(2);
});

const LONG_AGO = new Date('2026-01-05');

it.each([
  ['without a pid file, as after a kill', []],
  ['with an empty pid file, as after a full disk', ['']],
  ['with an invalid pid', ['-1']],
])('bootstrap takes over an old lock %s', async (_what, files) => {
  await mkdir(lock);
  for (const text of files) await writeFile(join(lock, 'pid'), text);
  await utimes(lock, LONG_AGO, LONG_AGO);
  expect(await commands(1)).toEqual([0]);
  expect(await callsOf('npm')).toHaveLength(1);
});

it('bootstrap takes over a lock with its own pid, which an ended process had before', async () => {
  const script = 'mkdir "$1" && echo $$ > "$1/pid" && exec "$2" "$3" token';
  const child = spawn('sh', ['-c', script, 'sh', lock, process.execPath, bootstrap()], options());
  expect(await once(child, 'exit')).toEqual([0, null]);
});

it('bootstrap names the process that it waits for, and stops waiting on Ctrl-C', async () => {
  await mkdir(lock);
  await writeFile(join(lock, 'pid'), String(process.pid));
  const child = spawn(process.execPath, [bootstrap(), 'token'], options());
  let printed = '';
  const hasPrinted = new Promise((resolve) =>
    child.stderr.on('data', (text: Buffer) => resolve((printed += text.toString()))),
  );
  const ended = once(child, 'close');
  await Promise.race([hasPrinted, ended]);
  child.kill('SIGINT');
  expect(await ended).toEqual([130, null]);
  expect(printed).toMatch(new RegExp(`^waiting for process ${process.pid} .*\\n$`));
  expect(await readFile(join(lock, 'pid'), 'utf8')).toBe(String(process.pid));
});

it('bootstrap does not remove the lock of another command when it exits', async () => {
  const others = `mkdir "${lock}" && echo ${process.pid} > "${lock}/pid"`;
  await program(join(repository, 'node_modules/.bin/node'), others);
  expect(await commands(1)).toEqual([0]);
  expect(await readFile(join(lock, 'pid'), 'utf8')).toBe(`${process.pid}\n`);
});

it('bootstrap installs again after an interrupted installation of another lockfile', async () => {
  await commands(1);
  await writeFile(join(repository, 'package-lock.json'), '{ }');
  await program(join(repository, 'bin/npm'), 'exit 1');
  expect(await commands(1)).toEqual([1]);
  await writeFile(join(repository, 'package-lock.json'), '{}');
  await program(join(repository, 'bin/npm'));
  expect(await commands(1)).toEqual([0]);
  expect(await callsOf('npm')).toHaveLength(3);
});

/** A copy of the bootstrap in a folder with this name. */
async function bootstrapIn(folder: string): Promise<string> {
  const path = join(repository, folder, 'deploy/local');
  await mkdir(path, { recursive: true });
  await copyFile(bootstrap(), join(path, 'bootstrap.mjs'));
  return join(path, 'bootstrap.mjs');
}

it.each([
  ['in a folder with a , in its path', ',', () => bootstrapIn('a,b'), {}],
  ['in a folder with a # in its path', '#', () => bootstrapIn('a#b'), {}],
  ['in a folder with a $ in its path', '$', () => bootstrapIn('a$b'), {}],
  ['with a : in PO_LOCAL_DIR', ':', bootstrap, { PO_LOCAL_DIR: '/tmp/a:b' }],
])('bootstrap refuses to run %s', async (_where, character, program, variables) => {
  const child = spawn(process.execPath, [await program(), 'token'], { ...options(variables), stdio: 'pipe' });
  const [[code], errors] = await Promise.all([once(child, 'exit'), text(child.stderr)]);
  expect([code, errors]).toEqual([1, expect.stringContaining(`has a ${character}, which`)]);
});

it('bootstrap ends the compiler when the install scripts fail', async () => {
  await mkdir(join(repository, 'node_modules/good'));
  await writeFile(join(repository, 'package.json'), JSON.stringify({ allowScripts: { good: true } }));
  const [started, ended] = [join(repository, 'started'), join(repository, 'ended')];
  const works = `touch "${started}"; for step in $(seq 200); do sleep 0.1; done`;
  await program(join(repository, 'node_modules/.bin/tsc'), `trap 'touch "${ended}"; exit' TERM; ${works}`);
  const fails = `until test -e "${started}"; do sleep 0.1; done; exit 1`;
  await program(join(repository, 'bin/npm'), `test "$1" = ci || { ${fails}; }`);
  expect(await commands(1)).toEqual([1]);
  await eventually('the compiler is ended', () => stat(ended));
});

it('bootstrap reports a missing folder for temporary files', async () => {
  const child = spawn(process.execPath, [bootstrap(), 'token'], options({ TMPDIR: '/nowhere' }));
  const [[code], errors] = await Promise.all([once(child, 'exit'), text(child.stderr)]);
  expect([code, errors]).toEqual([1, 'there is no folder /nowhere for temporary files: make it, or correct TMPDIR\n']);
});
