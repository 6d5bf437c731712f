import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { argumentsOf } from '#local/option-values.js';
import { findBreakingChanges } from '#documents/compatibility/breaking-changes.js';
import { staleBaselines } from '#documents/compatibility/released.js';
import { runCommand } from '#local/commands/lifecycle.js';
import { run, tryRun } from '#local/processes/run.js';
import { step } from '#local/progress.js';
import { SERVICE_NAMES } from '#local/stack/stack-file.js';
import { writeSboms } from '#supply-chain/write-sboms.js';
import { releasedImages } from '#supply-chain/pinning.js';
import { buildImage, engineOf, packChart, packClient, toolAt, writeSums } from './artefacts.js';
import { releaseNotes } from './commits.js';
import { commitsSince, fileAt, lastRelease, unknownReleases } from './history.js';
import { writeVersion } from './version-files.js';
import { nextVersion } from './version.js';

const OPTIONS = {
  'dry-run': { type: 'boolean', default: false },
  out: { type: 'string', default: '.local/release' },
  registry: { type: 'string' },
  version: { type: 'string' },
} as const;

/** Permissions in Kafka, Redis and PostgreSQL, and topics of Strimzi, which the chart does not apply. */
const PERMISSION_FILES = [
  'deploy/kafka/*.sh',
  'deploy/redis/*.acl',
  'deploy/kubernetes/*.yaml',
  'libs/testing/roles.sql',
];

const services: string[] = Object.values(SERVICE_NAMES);
const say = (line: string): void => void process.stdout.write(`${line}\n`);
/** The checkout to release, in which npm starts this command. */
const ROOT = process.cwd();
const git = async (args: readonly string[], cwd = ROOT): Promise<string> => (await run('git', args, { cwd })).trim();

/** Version and notes of the release. Rejects with the remedy if the checkout may not be released. */
async function plan(isDry: boolean, wanted?: string): Promise<{ version: string; text: string }> {
  const dirty = await git(['status', '--porcelain']);
  if (dirty !== '') throw new Error(`only what is committed is released; commit or remove:\n${dirty}`);
  const unknown = await unknownReleases(ROOT).catch(({ message }: Error) => message);
  if (unknown !== null && !isDry) throw new Error(unknown);
  if (unknown !== null) say(unknown);
  const tag = await lastRelease(ROOT, 'HEAD');
  const commits = await commitsSince(ROOT, tag);
  if (tag !== null && (await git(['rev-list', '--count', `${tag}..HEAD`])) === '0')
    throw new Error(`nothing was committed since ${tag}: a release needs a commit`);
  const stale = staleBaselines(ROOT);
  if (stale.length > 0)
    throw new Error(
      `not what this version publishes; run "npm run docs -- --release" and commit it:\n  ${stale.join('\n  ')}`,
    );
  const now = (path: string) => readFile(join(ROOT, path), 'utf8').catch(() => null);
  const breakingChanges = tag === null ? [] : await findBreakingChanges((path) => fileAt(ROOT, tag, path), now);
  const version = nextVersion({ last: tag?.slice(1) ?? null, commits, breakingChanges }, wanted);
  if ((await tryRun('git', ['-C', ROOT, 'rev-parse', '--verify', `refs/tags/v${version}`])) !== null)
    throw new Error(`the tag v${version} exists in another history: choose a higher version with --version`);
  const changedPermissionFiles =
    tag === null ? '' : await git(['diff', '--name-only', tag, 'HEAD', '--', ...PERMISSION_FILES]);
  return { version, text: releaseNotes(version, commits, breakingChanges, changedPermissionFiles.match(/.+/g) ?? []) };
}

/** Runs the work in a temporary worktree. */
async function inWorktree<T>(work: (root: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'po-release-'));
  const root = join(folder, 'tree');
  try {
    await git(['worktree', 'add', '--detach', '--quiet', root, 'HEAD']);
    return await work(root);
  } finally {
    await tryRun('git', ['-C', ROOT, 'worktree', 'remove', '--force', root]);
    await rm(folder, { recursive: true, force: true });
  }
}

/** `npm run release`: builds all parts of a release, then commits its version and tags it. With `--dry-run`, it only builds. */
async function main(): Promise<number> {
  const { values } = argumentsOf({ options: OPTIONS });
  const { 'dry-run': isDry, registry = isDry ? 'po' : undefined } = values;
  if (registry === undefined)
    throw new Error('--registry is missing: the registry to push images to. Or use --dry-run');
  const { version, text } = await plan(isDry, values.version);
  const engine = await engineOf();
  if (engine === null && !isDry) throw new Error('a release has images: start docker, or install buildah');
  const out = resolve(values.out);
  await mkdir(out, { recursive: true });
  await inWorktree(async (root) => {
    await writeVersion(root, version);
    if (!isDry && (await git(['status', '--porcelain'], root)) !== '')
      await git(['commit', '--all', '--quiet', '--message', `build: release ${version}`], root);
    const revision = await git(['rev-parse', 'HEAD'], root);
    await writeFile(join(out, 'NOTES.md'), text);
    const imageOf = (service: string) => `${registry}/${service}:${version}`;
    const files = [
      'NOTES.md',
      await step('pack the client', () => packClient(root, out)),
      await step('pack the chart', () => packChart(root, out, version)),
      ...services.map((service) => `${service}.cdx.json`),
    ];
    const problems = await writeSboms({ services, version, out });
    if (problems.length > 0) throw new Error(problems.join('\n'));
    if (engine === null) say('no image is built: neither docker nor buildah works here');
    else
      for (const service of services)
        await step(`build ${imageOf(service)}`, () =>
          buildImage(engine, { root, service, name: imageOf(service), version, revision }),
        );
    if (!isDry && engine !== null) {
      for (const service of services)
        await step(`push ${imageOf(service)}`, () => run(engine, ['push', imageOf(service)]));
      await writeFile(join(out, 'images.yaml'), await releasedImages(await toolAt('crane'), registry, version));
      files.push('images.yaml');
    }
    await writeSums(out, files);
    if (isDry) return;
    await git(['merge', '--ff-only', '--quiet', revision]);
    await git(['tag', '--annotate', '--cleanup=verbatim', '--file', join(out, 'NOTES.md'), `v${version}`, revision]);
  });
  say(isDry ? `${version} would be released; ${out} has it` : `v${version} is tagged; ${out} has the rest`);
  return 0;
}

await runCommand(main);
