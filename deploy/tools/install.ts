import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, mkdtemp, readFile, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { childEnvironment } from '#local/config.js';
import { REPOSITORY } from '#local/repository.js';
import type { Step } from '#local/progress.js';
import type { Source, Tool } from './tools.js';

const MODULES = join(REPOSITORY, 'deploy/tools/go');

type Of<By extends Source['by']> = Extract<Source, { by: By }>;

interface Folders {
  /** Where the programs are called from. */
  bin: string;
  /** What they need beside them. */
  lib: string;
}

/**
 * Installs the tools that are missing, or are there in another version. Resolves with the folder they are in. Rejects, after trying all
 * of them, with what each needs that could not be installed.
 */
export async function installTools(dir: string, tools: Record<string, Tool>, step: Step): Promise<string> {
  const folders = { bin: join(dir, 'bin'), lib: join(dir, 'lib') };
  await mkdir(folders.bin, { recursive: true });
  await mkdir(folders.lib, { recursive: true });
  const missing = (
    await Promise.all(Object.entries(tools).map(async (entry) => ((await isThere(folders, ...entry)) ? [] : [entry])))
  ).flat();
  const problems = await Promise.all(
    // One compiler at a time: each takes all cores. The others wait for the network.
    (['go', 'pip', 'apt', 'apt-tree'] as const).map((by) =>
      oneByOne(
        missing.filter(([, { source }]) => source.by === by),
        ([name, tool]) => installed(folders, name, tool, step),
      ),
    ),
  );
  const failures = problems.flat().filter((problem) => problem !== null);
  if (failures.length > 0) throw new Error(`tools are missing:\n${failures.join('\n')}`);
  return folders.bin;
}

function run(
  program: string,
  args: readonly string[],
  cwd?: string,
  environment: Record<string, string> = {},
): Promise<unknown> {
  return promisify(execFile)(program, args, { cwd, env: childEnvironment(environment), maxBuffer: 64 * 1024 * 1024 });
}

async function oneByOne<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

/** Says with what it was installed: a tool whose pin or recipe is another by now is missing. */
const stampOf = ({ lib }: Folders, name: string): string => join(lib, `${name}.installed`);
const recipeOf = ({ version, source }: Tool): string => JSON.stringify({ version, source });

async function isThere(folders: Folders, name: string, tool: Tool): Promise<boolean> {
  return (await readFile(stampOf(folders, name), 'utf8').catch(() => null)) === recipeOf(tool);
}

async function installed(folders: Folders, name: string, tool: Tool, step: Step): Promise<string | null> {
  try {
    await step(`install ${name} ${tool.version}`, () => install(tool.source, folders, name));
    await writeFile(stampOf(folders, name), recipeOf(tool));
    return null;
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error)).trim().split('\n').slice(-6).join('\n    ');
    return `  ${name}: ${tool.byHand}\n    ${reason}`;
  }
}

function install(source: Source, folders: Folders, name: string): Promise<void> {
  switch (source.by) {
    case 'go':
      return byGo(source, folders, name);
    case 'pip':
      return byPip(source, folders, name);
    case 'apt':
      return byApt(source, folders, name);
    case 'apt-tree':
      return byAptTree(source, folders, name);
    default:
      return source satisfies never;
  }
}

async function byGo(source: Of<'go'>, { bin, lib }: Folders, name: string): Promise<void> {
  const variables = Object.entries(source.variables ?? {}).map(([variable, value]) => `-X ${variable}=${value}`);
  const target = await mkdtemp(join(lib, 'go-'));
  try {
    const flags = ['-trimpath', '-ldflags', ['-s -w', ...variables].join(' ')];
    await run('go', ['install', ...flags, source.package], source.module ? join(MODULES, source.module) : target, {
      ...{ CGO_ENABLED: '0', GOFLAGS: '-buildvcs=false', GOBIN: target },
    });
    // A program is called after the last part of its package's path, which may be a version or "cmd".
    const [program = ''] = await readdir(target);
    await rename(join(target, program), join(bin, name));
  } finally {
    await rm(target, { recursive: true, force: true });
  }
}

async function byPip(source: Of<'pip'>, { bin, lib }: Folders, name: string): Promise<void> {
  const environment = join(lib, name);
  await rm(environment, { recursive: true, force: true });
  await run('python3', ['-m', 'venv', environment]);
  await run(join(environment, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', source.requirement]);
  await rm(join(bin, name), { force: true });
  await symlink(join(environment, 'bin', name), join(bin, name));
}

async function byApt(source: Of<'apt'>, { bin }: Folders, name: string): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'po-tool-'));
  // apt downloads as a user of its own.
  await chmod(dir, 0o777);
  const download = () => run('apt-get', ['download', '-qq', source.package], dir);
  try {
    await download().catch(() => run('apt-get', ['update', '-qq']).then(download));
    const [file = ''] = await readdir(dir);
    await run('dpkg-deb', ['--extract', join(dir, file), join(dir, 'content')]);
    await copyFile(join(dir, 'content', source.file), join(bin, `${name}.new`));
    await chmod(join(bin, `${name}.new`), 0o755);
    await rename(join(bin, `${name}.new`), join(bin, name));
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

async function byAptTree({ packages, file }: Of<'apt-tree'>, { bin, lib }: Folders, name: string): Promise<void> {
  const tree = join(lib, name);
  await rm(tree, { recursive: true, force: true });
  const dir = await mkdtemp(join(tmpdir(), 'po-tool-'));
  await chmod(dir, 0o777);
  const download = () =>
    run('apt-get', [
      ...['install', '-qq', '--yes', '--download-only', '--reinstall', '--no-install-recommends'],
      ...['-o', `Dir::Cache::archives=${dir}`, '-o', 'Debug::NoLocking=true', ...packages],
    ]);
  try {
    await mkdir(join(dir, 'partial'));
    await download().catch(() => run('apt-get', ['update', '-qq']).then(download));
    const archives = (await readdir(dir)).filter((archive) => archive.endsWith('.deb'));
    for (const archive of archives) await run('dpkg-deb', ['--extract', join(dir, archive), tree]);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
  await writeFile(`${join(bin, name)}.new`, inTree(tree, file), { mode: 0o755 });
  await rename(`${join(bin, name)}.new`, join(bin, name));
}

/** A script that starts a program of a tree with the libraries and programs beside it before those of the machine. */
const inTree = (tree: string, file: string): string => `#!/bin/sh
tree='${tree}'
for folder in "$tree"/usr/lib/*-linux-gnu "$tree"/lib/*-linux-gnu; do
  LD_LIBRARY_PATH="$folder\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
done
export LD_LIBRARY_PATH PATH="$tree/usr/bin:$tree/usr/sbin:$PATH:/usr/sbin:/sbin"
exec "$tree/${file}" "$@"
`;
