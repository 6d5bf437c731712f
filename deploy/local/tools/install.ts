import { access, mkdir, mkdtemp, readFile, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { childEnvironment } from '../config.js';
import { run } from '../processes/run.js';
import { REPOSITORY } from '../repository.js';
import type { Step } from '../progress.js';
import { byApt, byAptTree, byDebian } from './debian.js';
import type { Folders, SourceOf, Source, Tool } from './tools.js';

const MODULES = join(REPOSITORY, 'deploy/tools/go');

/**
 * Installs tools that are missing or have another version. Resolves with their folder. Tries all tools, then rejects with each that could
 * not be installed, the command to install it by hand, and the folder to put it into under its name. `signal` ends the installation.
 */
export async function installTools(
  dir: string,
  tools: Record<string, Tool>,
  step: Step,
  signal?: AbortSignal,
): Promise<string> {
  const folders = { bin: join(dir, 'bin'), lib: join(dir, 'lib') };
  await mkdir(folders.bin, { recursive: true });
  await mkdir(folders.lib, { recursive: true });
  const missing = (
    await Promise.all(Object.entries(tools).map(async (entry) => ((await isThere(folders, ...entry)) ? [] : [entry])))
  ).flat();
  const problems = await Promise.all(
    // One Go compiler at a time, because it uses all cores. The other kinds mostly wait for the network.
    (['go', 'pip', 'apt', 'apt-tree', 'debian'] as const).map((by) =>
      oneByOne(
        missing.filter(([, { source }]) => source.by === by),
        ([name, tool]) => (signal?.aborted ? 'interrupted' : installed(folders, name, tool, step, signal)),
      ),
    ),
  );
  const failures = problems.flat().filter((problem) => problem !== null);
  if (failures.length > 0)
    throw new Error(`tools are missing; put each under its name into ${folders.bin}:\n${failures.join('\n')}`);
  return folders.bin;
}

async function oneByOne<T, R>(items: readonly T[], work: (item: T) => R | Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
}

/** File that records how a tool was installed. A tool whose version or recipe has changed since counts as missing. */
const stampOf = ({ lib }: Folders, name: string): string => join(lib, `${name}.installed`);

/** Recipe of a tool. Go programs are self-contained; other tools contain absolute paths, so they are reinstalled in a moved checkout. */
const recipeOf = ({ version, source }: Tool, { bin }: Folders): string =>
  JSON.stringify({ version, source, ...(source.by === 'go' ? {} : { bin }) });

async function isThere(folders: Folders, name: string, tool: Tool): Promise<boolean> {
  const stamp = await readFile(stampOf(folders, name), 'utf8').catch(() => null);
  const isRunnable = () =>
    access(join(folders.bin, name)).then(
      () => true,
      () => false,
    );
  // Without a stamp, the tool was put there by hand.
  return (stamp === null || stamp === recipeOf(tool, folders)) && isRunnable();
}

async function installed(
  folders: Folders,
  name: string,
  tool: Tool,
  step: Step,
  signal?: AbortSignal,
): Promise<string | null> {
  try {
    await step(`install ${name} ${tool.version}`, () => install(tool.source, folders, name, signal));
    await writeFile(stampOf(folders, name), recipeOf(tool, folders));
    return null;
  } catch (error) {
    // The program first: without the stamp, an old one would count as put there by hand.
    await rm(join(folders.bin, name), { force: true });
    await rm(stampOf(folders, name), { force: true });
    const reason = (error instanceof Error ? error.message : String(error)).trim().split('\n').slice(-6).join('\n    ');
    return `  ${name}: ${tool.byHand}\n    ${reason}`;
  }
}

function install(source: Source, folders: Folders, name: string, signal?: AbortSignal): Promise<void> {
  switch (source.by) {
    case 'go':
      return byGo(source, folders, name, signal);
    case 'pip':
      return byPip(source, folders, name);
    case 'apt':
      return byApt(source, folders, name);
    case 'apt-tree':
      return byAptTree(source, folders, name);
    case 'debian':
      return byDebian(source, folders, name);
    default:
      return source satisfies never;
  }
}

async function byGo(source: SourceOf<'go'>, { bin, lib }: Folders, name: string, signal?: AbortSignal): Promise<void> {
  const variables = Object.entries(source.variables ?? {}).map(([variable, value]) => `-X ${variable}=${value}`);
  const target = await mkdtemp(join(lib, 'go-'));
  try {
    const flags = ['-trimpath', '-ldflags', ['-s -w', ...variables].join(' ')];
    await run('go', ['install', ...flags, source.package], {
      cwd: await folderOf(source, target),
      env: childEnvironment({ CGO_ENABLED: '0', GOFLAGS: '-buildvcs=false', GOBIN: target }),
      niceness: 5,
      signal,
    });
    // Go names the program after the last part of the package path, which may be a version or "cmd".
    const [program = ''] = await readdir(target);
    await rename(join(target, program), join(bin, name));
  } finally {
    await rm(target, { recursive: true, force: true });
  }
}

/** Folder to build in; packages with a version are built in any. */
async function folderOf({ module, released }: SourceOf<'go'>, other: string): Promise<string> {
  if (module) return join(MODULES, module);
  if (!released) return other;
  return (JSON.parse(await run('go', ['mod', 'download', '-json', released], { cwd: other })) as { Dir: string }).Dir;
}

async function byPip(source: SourceOf<'pip'>, { bin, lib }: Folders, name: string): Promise<void> {
  const environment = join(lib, name);
  await rm(environment, { recursive: true, force: true });
  await run('python3', ['-m', 'venv', environment]);
  await run(join(environment, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', source.requirement]);
  await rm(join(bin, name), { force: true });
  await symlink(join(environment, 'bin', name), join(bin, name));
}
