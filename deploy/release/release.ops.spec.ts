import { readFileSync, readdirSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { withoutAnnotations } from '../documents/compatibility/changes.js';
import { PUBLISHED, releasedPath } from '../documents/compatibility/released.js';
import { childEnvironment } from '../local/config.js';
import { CHECKSUMS } from '../local/example-messages.js';
import { run } from '../local/processes/run.js';
import { REPOSITORY } from '../local/repository.js';
import { SERVICE_NAMES } from '../local/stack/stack-file.js';
import { programOf, runDir } from '../tools/fixtures/ops-tools.js';
import { openRegistry } from '../tools/fixtures/registry.js';

const PROGRAM = join(REPOSITORY, 'deploy/release/dist/release.js');
const OPENAPI = 'libs/contracts/openapi.json';
const SERVICES = Object.values(SERVICE_NAMES);
/** One service with the portal and one without. */
const INSTALLED = ['gateway', 'mail'];
/** Long, because the packages of each image are installed, which takes minutes on a busy disk. */
const RELEASE_MS = 1_800_000;

const dir = join(runDir(), 'release');
const clone = join(dir, 'clone');
const out = (name: string) => join(dir, name);
// The developer's Git may sign commits and tags.
const WITHOUT_SETTINGS = { GIT_CONFIG_GLOBAL: '/dev/null' };
const git = async (...args: string[]) =>
  (await run('git', args, { cwd: clone, env: childEnvironment(WITHOUT_SETTINGS) })).trim();
const read = (path: string) => readFileSync(join(clone, path), 'utf8');
const parsed = (path: string) => JSON.parse(read(path)) as Record<string, Record<string, unknown>>;
const write = (path: string, text: string) => writeFile(join(clone, path), text);
const commit = async (message: string) => {
  await git('add', '--all');
  await git('commit', '--quiet', '--allow-empty', '--message', message);
  return git('rev-parse', '--short', 'HEAD');
};

/** Runs the command in a clone, with the programs of this folder before those of the machine. */
const releaseIn = (cwd: string, programs: string, ...args: string[]) =>
  run(process.execPath, ['--no-warnings', PROGRAM, ...args], {
    cwd,
    env: childEnvironment({ ...WITHOUT_SETTINGS, PATH: `${join(dir, programs)}:${process.env['PATH']}` }),
  });
const release = (programs: string, ...args: string[]) => releaseIn(clone, programs, ...args);
const state = async () => [
  await git('status', '--porcelain'),
  await git('for-each-ref'),
  await git('worktree', 'list'),
];
const inArchive = (archive: string, file: string) => run('tar', ['-xzOf', archive, file]);

/** Stores the current documents as the released ones. */
async function keepBaseline(): Promise<void> {
  for (const path of PUBLISHED) await write(releasedPath(path), JSON.stringify(withoutAnnotations(parsed(path))));
  await write(releasedPath(CHECKSUMS), read(CHECKSUMS));
}

async function program(folder: string, name: string, script: string): Promise<void> {
  await mkdir(join(dir, folder), { recursive: true });
  await writeFile(join(dir, folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

let hash: string;
beforeAll(async () => {
  await run(join(REPOSITORY, 'node_modules/.bin/tsc'), ['-b', 'deploy/release'], { cwd: REPOSITORY });
  await mkdir(dir, { recursive: true });
  await run('git', ['clone', '--quiet', '--shared', '--no-tags', REPOSITORY, clone]);
  // Its tags are those of no release.
  await git('remote', 'remove', 'origin');
  await git('config', 'user.name', 'Somebody');
  await git('config', 'user.email', 'somebody@example.com');
  await keepBaseline();
  await commit('docs: keep what is published');
  await git('tag', 'v41.2.3');
  hash = await commit('feat(portal): show a');
  await write('deploy/redis/users.acl', '');
  await commit('test: hold b');
  for (const name of ['docker', 'buildah']) await program('without-engine', name, 'exit 1');
  // Records its arguments instead of building, and pushes an image with an empty layer.
  const layer = join(dir, 'layer.tar');
  await writeFile(layer, Buffer.alloc(1024));
  const push = `${programOf('crane')} append --insecure --new_layer ${layer} --new_tag "$2"`;
  await program('with-engine', 'docker', `echo "$*" >> ${join(dir, 'asked')}\n[ "$1" != push ] || ${push}`);
  // Skips npm ci, except for the services whose bill of materials is compared: it takes a minute.
  const nothing = `mkdir node_modules && echo '{"packages":{}}' > node_modules/.package-lock.json`;
  const npm = (await run('sh', ['-c', 'command -v npm'])).trim();
  const withoutCi = (installed: string) =>
    `case "$*" in ${installed}) ;; ci*) ${nothing} && exit;; esac\nexec ${npm} "$@"`;
  await program('without-engine', 'npm', withoutCi(INSTALLED.map((service) => `ci*/${service}`).join('|')));
  await program('with-engine', 'npm', withoutCi('none'));
}, RELEASE_MS);

describe('a dry run of a release', () => {
  let before: string[];
  let output: string;
  beforeAll(async () => {
    before = await state();
    output = await release('without-engine', '--dry-run', '--out', out('dry'));
  }, RELEASE_MS);

  it('changes nothing outside its folder, and reports that it could not build images', async () => {
    expect(await state()).toEqual(before);
    expect(output).toContain('no image is built: neither docker nor buildah works here\n41.3.0 would be released; ');
  });

  it('writes the notes, the packages of client and chart with the new version, and checksums of all files', async () => {
    const [client, chart] = ['po-client-41.3.0.tgz', 'po-collaboration-41.3.0.tgz'];
    const names = ['NOTES.md', client, chart, ...SERVICES.map((service) => `${service}.cdx.json`)];
    expect(readdirSync(out('dry')).toSorted()).toEqual(['SHA256SUMS', ...names].toSorted());
    expect(await readFile(join(out('dry'), 'NOTES.md'), 'utf8')).toBe(
      `# 41.3.0\n\n## Apply before the upgrade\n\n- \`deploy/redis/users.acl\`\n\n## Features\n\n- **portal**: show a (${hash})\n`,
    );
    const manifest = JSON.parse(await inArchive(join(out('dry'), client), 'package/package.json')) as object;
    expect(manifest).toMatchObject({ name: '@po/client', version: '41.3.0', license: 'Apache-2.0' });
    expect(manifest).not.toHaveProperty('private');
    expect(await inArchive(join(out('dry'), client), 'package/dist/index.d.ts')).toContain("from './client.js'");
    const versions = { version: '41.3.0', appVersion: '41.3.0' };
    expect(parse(await inArchive(join(out('dry'), chart), 'po-collaboration/Chart.yaml'))).toMatchObject(versions);
    const checked = await run('sha256sum', ['--check', 'SHA256SUMS'], { cwd: out('dry') });
    expect(checked.trim().split('\n')).toEqual(names.map((name) => `${name}: OK`));
  });

  it('packs the client with the sources of its source maps, and with the same files as "npm pack"', async () => {
    const client = join(out('dry'), 'po-client-41.3.0.tgz');
    const map = await inArchive(client, 'package/dist/client.js.map');
    expect(JSON.parse(map)).toMatchObject({
      sourcesContent: [expect.stringContaining('export function createClient')],
    });
    const args = ['pack', '-w', 'libs/client', '--loglevel=error', '--silent', '--pack-destination', dir];
    const packed = (await run('npm', args, { cwd: REPOSITORY })).trim();
    const files = async (archive: string) => (await run('tar', ['-tzf', archive])).split('\n').toSorted();
    expect(await files(join(dir, packed))).toEqual(await files(client));
  });

  it.each(INSTALLED)('writes a bill of materials with exactly the packages in the image of %s', async (service) => {
    const { metadata, components } = JSON.parse(await readFile(join(out('dry'), `${service}.cdx.json`), 'utf8')) as {
      metadata: { component: { name: string; version: string } };
      components: { name: string; group?: string }[];
    };
    expect(metadata.component).toMatchObject({ name: service, version: '41.3.0' });
    const { dependencies = {} } = parsed(`services/${service}/package.json`);
    const listed = new Set(components.map(({ name, group }) => `${group ? `${group}/` : ''}${name}`));
    expect(Object.keys(dependencies).filter((name) => !listed.has(name))).toEqual([]);
    // Packages that the portal was built from are in its files, which the gateway serves.
    const ofPortal = ['@mantine/core', 'oidc-client-ts'].filter((name) => listed.has(name));
    expect(ofPortal).toHaveLength(service === 'gateway' ? 2 : 0);
    // No image contains packages that only tests and tools need.
    const others = ['typescript', 'jest', 'oxfmt', 'testcontainers', '@po/client'];
    expect(others.filter((name) => listed.has(name))).toEqual([]);
  });
});

describe('the release command', () => {
  const tried = (...args: string[]) => release('without-engine', '--dry-run', ...args);

  it('refuses a working tree with uncommitted files', async () => {
    await write('more.txt', 'more\n');
    await expect(tried()).rejects.toThrow(/only what is committed is released; commit or remove:\n\?\? more\.txt/);
    await git('clean', '--quiet', '--force');
  });

  it('refuses to run without a registry, or without a program that builds images', async () => {
    await expect(release('without-engine')).rejects.toThrow(
      '--registry is missing: the registry to push images to. Or use --dry-run',
    );
    await expect(release('without-engine', '--registry', 'r')).rejects.toThrow(/^a release has images: start docker/m);
  });

  it.each([
    ['is shallow', '--depth=1', 'this clone is shallow: run "git fetch --unshallow --tags"'],
    ['lacks tags of its origin', '--no-tags', 'origin also has v41.2.3: run "git fetch --tags"'],
  ])('refuses a clone that %s, of which a dry run only warns', async (_what, option, message) => {
    const incomplete = join(dir, `clone${option}`);
    await run('git', ['clone', '--quiet', option, `file://${clone}`, incomplete]);
    await expect(releaseIn(incomplete, 'with-engine', '--registry', 'r')).rejects.toThrow(message);
    await expect(releaseIn(incomplete, 'without-engine', '--dry-run', '--version', '0.9.0')).rejects.toThrow(
      `${message}\n0.9.0 is too low: the first release allows 1.0.0 or higher`,
    );
  });

  it('refuses a version that is too low, or whose tag exists in another history', async () => {
    await expect(tried('--version', '41.2.4')).rejects.toThrow(
      '41.2.4 is too low: a minor change since 41.2.3 allows 41.3.0 or higher',
    );
    await git('tag', 'v41.4.0', await git('commit-tree', '-m', 'fix: c', 'HEAD^{tree}'));
    await expect(tried('--version', '41.4.0')).rejects.toThrow('the tag v41.4.0 exists in another history');
  });

  it('refuses an outdated document baseline, and requires a major version for breaking documents', async () => {
    const document = parsed(OPENAPI);
    delete document['paths']?.['/purchase-orders'];
    await write(OPENAPI, JSON.stringify(document));
    await commit('fix: drop what nobody needs');
    await expect(tried()).rejects.toThrow(
      `not what this version publishes; run "npm run docs -- --release" and commit it:\n  ${OPENAPI}`,
    );
    await keepBaseline();
    await commit('docs: keep what is published');
    await expect(tried('--version', '41.3.0')).rejects.toThrow(
      /41\.3\.0 is too low: a major change since 41\.2\.3 allows 42\.0\.0 or higher\n {2}.*Path `\/purchase-orders` was removed/,
    );
    await git('reset', '--quiet', '--hard', 'HEAD~2');
  });
});

describe('a release', () => {
  let registry: Awaited<ReturnType<typeof openRegistry>>;
  beforeAll(async () => {
    registry = await openRegistry();
    await release('with-engine', '--registry', registry.host, '--out', out('real'));
  }, RELEASE_MS);
  afterAll(() => registry?.close());

  it('commits its version and tags the commit with the notes', async () => {
    expect(await git('describe')).toBe('v41.3.0');
    expect(await git('log', '-1', '--shortstat', '--format=%s')).toBe(
      'build: release 41.3.0\n\n 4 files changed, 7 insertions(+), 7 deletions(-)',
    );
    expect(await git('tag', '--list', '--format=%(contents)', 'v41.3.0')).toContain('# 41.3.0\n\n## Apply');
    expect(await git('status', '--porcelain')).toBe('');
  });

  it('builds and pushes each image, and writes chart values with the image digests', async () => {
    const revision = await git('rev-parse', 'HEAD');
    const calls = await readFile(join(dir, 'asked'), 'utf8');
    const names = SERVICES.map((service) => `${registry.host}/${service}:41.3.0`);
    const args = `--build-arg VERSION=41.3.0 --build-arg REVISION=${revision} --tag ${names[0]} .\n`;
    expect(calls).toContain(`build --file deploy/Dockerfile --build-arg SERVICE=${SERVICES[0]} ${args}`);
    expect(calls.match(/(?<=--tag )\S+/g)).toEqual(names);
    expect(calls.match(/(?<=^push ).*/gm)).toEqual(names);
    const values = parse(await readFile(join(out('real'), 'images.yaml'), 'utf8')) as object;
    const image = { digest: expect.stringMatching(/^sha256:[a-f0-9]{64}$/) };
    expect(values).toEqual(Object.fromEntries(Object.keys(SERVICE_NAMES).map((service) => [service, { image }])));
  });

  it('cannot be repeated before another commit', async () => {
    await expect(release('with-engine', '--dry-run')).rejects.toThrow(
      'nothing was committed since v41.3.0: a release needs a commit',
    );
  });
});
