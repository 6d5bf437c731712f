import { chmod, copyFile, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { run } from '../processes/run.js';
import type { Folders, SourceOf } from './tools.js';

const KEYS = '/usr/share/keyrings/debian-archive-keyring.gpg';

/** Installs a file of a package of this machine's Debian release. */
export async function byApt(source: SourceOf<'apt'>, { bin }: Folders, name: string): Promise<void> {
  const dir = await mkdtemp(join(tmpdir(), 'po-tool-'));
  // apt downloads as a separate user.
  await chmod(dir, 0o777);
  const download = () => run('apt-get', ['download', '-qq', source.package], { cwd: dir });
  try {
    await download().catch(() => run('apt-get', ['update', '-qq']).then(download));
    const [archive = ''] = await readdir(dir);
    const content = join(dir, 'content');
    await run('dpkg-deb', ['--extract', join(dir, archive), content]);
    const file = source.file.replace('*', await machineIn(content).catch(() => ''));
    await copyFile(join(content, file), join(bin, `${name}.new`));
    await chmod(join(bin, `${name}.new`), 0o755);
    await rename(join(bin, `${name}.new`), join(bin, name));
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** Installs a program with the packages that it needs, from this machine's Debian release. */
export async function byAptTree(
  { packages, file }: SourceOf<'apt-tree'>,
  { bin, lib }: Folders,
  name: string,
): Promise<void> {
  const tree = join(lib, name);
  await rm(tree, { recursive: true, force: true });
  const dir = await mkdtemp(join(tmpdir(), 'po-tool-'));
  await chmod(dir, 0o777);
  const download = () =>
    run('apt-get', [
      'install',
      '-qq',
      '--yes',
      '--download-only',
      '--reinstall',
      '--no-install-recommends',
      '-o',
      `Dir::Cache::archives=${dir}`,
      '-o',
      'Debug::NoLocking=true',
      ...packages,
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

/** Script that runs a program of a tree and prefers the tree's libraries and programs to those of the machine. */
const inTree = (tree: string, file: string): string => `#!/bin/sh
tree='${tree}'
for folder in "$tree"/usr/lib/*-linux-gnu "$tree"/lib/*-linux-gnu; do
  LD_LIBRARY_PATH="$folder\${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
done
export LD_LIBRARY_PATH PATH="$tree/usr/bin:$tree/usr/sbin:$PATH:/usr/sbin:/sbin"
exec "$tree/${file}" "$@"
`;

/**
 * Installs a program of another Debian release, from the mirror of this machine. Separate package lists are used, so that the machine's
 * own apt configuration does not change.
 */
export async function byDebian(source: SourceOf<'debian'>, { bin, lib }: Folders, name: string): Promise<void> {
  const { release, package: wanted, libraries, file } = source;
  const dir = await mkdtemp(join(tmpdir(), 'po-tool-'));
  const content = join(lib, name);
  try {
    for (const folder of ['lists/partial', 'cache', 'packages']) await mkdir(join(dir, folder), { recursive: true });
    await writeFile(join(dir, 'sources.list'), `deb [signed-by=${KEYS}] ${await mirror()} ${release} main\n`);
    await writeFile(join(dir, 'status'), '');
    const settings = {
      'Dir::Etc::sourcelist': join(dir, 'sources.list'),
      'Dir::Etc::sourceparts': '/dev/null',
      'Dir::State::lists': join(dir, 'lists'),
      'Dir::State::status': join(dir, 'status'),
      'Dir::Cache': join(dir, 'cache'),
      // Otherwise apt would use a user without access to these folders.
      'APT::Sandbox::User': userInfo().username,
    };
    const options = Object.entries(settings).flatMap(([setting, value]) => ['-o', `${setting}=${value}`]);
    await run('apt-get', [...options, '-qq', 'update']);
    await run('apt-get', [...options, '-qq', 'download', wanted, ...libraries], { cwd: join(dir, 'packages') });
    await rm(content, { recursive: true, force: true });
    for (const one of await readdir(join(dir, 'packages')))
      await run('dpkg-deb', ['--extract', join(dir, 'packages', one), content]);
    const beside = join(content, 'usr/lib', await machineIn(content));
    const [loader = ''] = (await readdir(beside)).filter((library) => library.startsWith('ld-linux-'));
    const call = `exec '${join(beside, loader)}' --library-path '${beside}' '${join(content, file)}' "$@"`;
    await writeFile(join(bin, name), `#!/bin/sh\n${call}\n`, { mode: 0o755 });
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** Name of the platform's library folder in extracted packages, such as x86_64-linux-gnu. */
async function machineIn(content: string): Promise<string> {
  const [machine = ''] = (await readdir(join(content, 'usr/lib'))).filter((folder) => folder.endsWith('-linux-gnu'));
  return machine;
}

/** URL of this machine's Debian mirror. Sources of updates are skipped by their release names. */
async function mirror(): Promise<string> {
  const targets = await run('apt-get', ['indextargets', '--format', '$(REPO_URI) $(CODENAME)', 'Created-By: Packages']);
  const [uri] = targets.split('\n').flatMap((line) => /^(\S+) [a-z]+$/.exec(line)?.[1] ?? []);
  if (!uri) throw new Error('apt has no source of packages here: apt-get update');
  return uri;
}
