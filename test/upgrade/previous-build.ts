import { globSync, readFileSync } from 'node:fs';
import { mkdir, readFile, readdir, readlink, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { lockedPackages, ownPackages } from '#supply-chain/lockfile.js';
import type { Action } from '@po/contracts';
import { run, tryRun } from '../../deploy/local/processes/run.js';
import { REPOSITORY } from '../../deploy/local/repository.js';
import { fileAt, lastRelease } from '../../deploy/release/history.js';

/** A built checkout from which services can be started. */
export interface Build {
  root: string;
  /** Human-readable name. */
  name: string;
}

const COMMIT_BEFORE = 'HEAD~1';
const WORKSPACES = ['libs', 'services'];
/** The workspace's own packages: links to the folders of a checkout. */
const OWN = '@po';

/**
 * Revision that an upgrade starts from: the last release before this commit if it has the first migrations of this checkout, without which
 * no upgrade is possible; otherwise the commit before.
 */
export async function defaultPrevious(repository: string): Promise<string> {
  const release = await lastRelease(repository, COMMIT_BEFORE);
  if (release === null) return COMMIT_BEFORE;
  const firstMigrations = globSync('services/*/src/migrations/0001-*.ts', { cwd: repository });
  const isThere = await Promise.all(
    firstMigrations.map(async (path) => {
      const [name = path] = /\w+\d{13}/.exec(readFileSync(join(repository, path), 'utf8')) ?? [];
      return (await fileAt(repository, release, path))?.includes(name) === true;
    }),
  );
  return isThere.every(Boolean) ? release : COMMIT_BEFORE;
}

/**
 * Build to upgrade from: that of `ref`, or of the default if `ref` is empty. If this clone lacks the default commit and `needed` is false,
 * it is this build itself, which still tests the replacement of replicas. Rejects with instructions in every other case.
 */
export async function previousBuild(folder: string, { ref, needed }: { ref: string; needed: boolean }): Promise<Build> {
  const wanted = ref || (await defaultPrevious(REPOSITORY));
  const found = await tryRun('git', ['-C', REPOSITORY, 'rev-parse', '--verify', `${wanted}^{commit}`]);
  if (found !== null) {
    const commit = found.trim();
    return { root: await checkOut(commit, join(folder, commit)), name: `${wanted} (${commit.slice(0, 7)})` };
  }
  const missing = `this clone has no commit ${wanted}`;
  if (ref === '' && !needed) return { root: REPOSITORY, name: `itself, because ${missing}` };
  throw new Error(
    `${missing}: run "git fetch --deepen=1" if the clone is shallow, or choose another commit with --previous <ref>`,
  );
}

/** What a build offers to users. */
export interface Capabilities {
  actions: Action[];
  /** Path templates of GET operations, without event streams. */
  reads: string[];
}

const OFFER = `
  import { ACTION_NAMES } from '@po/contracts';
  import { OPERATIONS } from './dist/routes/operations.js';
  const ends = ({ reply }) => !reply.media?.includes('text/event-stream');
  const reads = Object.values(OPERATIONS).filter((one) => one.method === 'GET' && ends(one)).map(({ path }) => path);
  process.stdout.write(JSON.stringify({ actions: ACTION_NAMES, reads }));
`;

export const capabilitiesOf = async (build: Build): Promise<Capabilities> =>
  JSON.parse(await evaluate(build, OFFER)) as Capabilities;

/** Output of a program that imports from a build's gateway and libraries. Needs a process: jest redirects imports to this checkout. */
export const evaluate = ({ root }: Build, program: string): Promise<string> =>
  run(process.execPath, ['--input-type=module', '--eval', program], { cwd: join(root, 'services/gateway') });

/** Checks out, installs and builds a commit. Returns the folder. */
async function checkOut(commit: string, root: string): Promise<string> {
  await mkdir(root, { recursive: true });
  const archive = `${root}.tar`;
  await run('git', ['-C', REPOSITORY, 'archive', `--output=${archive}`, commit]);
  await run('tar', ['-xf', archive, '-C', root]);
  if (await hasSameDependencies(root)) await shareDependencies(root);
  else await run('npm', ['ci', '--loglevel=error', '--no-audit', '--no-fund'], { cwd: root });
  await run('npm', ['run', '--silent', '--if-present', '--workspace', 'libs/client', 'prepare'], { cwd: root });
  // The portal is not needed.
  const services = (await readdir(join(root, 'services'))).filter((service) => service !== 'portal');
  const projects = services.map((service) => join('services', service));
  await run(join(root, 'node_modules/.bin/tsc'), ['-b', ...projects], { cwd: root });
  return root;
}

async function hasSameDependencies(root: string): Promise<boolean> {
  const [theirs, ours] = await Promise.all(
    [root, REPOSITORY].map((at) => readFile(join(at, 'package-lock.json'), 'utf8')),
  );
  const packages = (lockfile = '') => [lockedPackages(lockfile), ownPackages(lockfile)];
  return isDeepStrictEqual(packages(theirs), packages(ours));
}

// Links packages, because a copy takes as long as installing. Node resolves dependencies from the real path of a package, which is in this
// repository. Only the workspace's own packages must be those of the checkout.
async function shareDependencies(root: string): Promise<void> {
  const packages = await Promise.all(
    WORKSPACES.map(async (workspace) => (await readdir(join(root, workspace))).map((name) => join(workspace, name))),
  );
  for (const folder of ['.', ...packages.flat()]) {
    const [from, to] = [REPOSITORY, root].map((at) => join(at, folder, 'node_modules')) as [string, string];
    const names = await readdir(from).catch(() => []);
    if (names.length > 0) await mkdir(to);
    for (const name of names) {
      if (name === OWN) await copyLinks(join(from, name), join(to, name));
      else await symlink(join(from, name), join(to, name));
    }
  }
}

async function copyLinks(from: string, to: string): Promise<void> {
  await mkdir(to);
  for (const name of await readdir(from)) await symlink(await readlink(join(from, name)), join(to, name));
}
