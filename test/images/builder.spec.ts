import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { textOf } from '@po/testing/documents';
import { Builder } from './builder.js';
import { stagesOf } from './dockerfile.js';

const OURS = textOf('deploy/Dockerfile');

describe('the Dockerfile', () => {
  const basesOf = (args: Record<string, string>) =>
    new Set(stagesOf(OURS, args).flatMap(({ base }) => ('image' in base ? base.image : [])));

  it('has one base image, which may be named by digest', () => {
    const pinned = `registry.example/node:24-bookworm-slim@sha256:${'5'.repeat(64)}`;
    expect([...basesOf({})].map((image) => image.replace(/[:@].*/, ''))).toEqual(['node']);
    expect(basesOf({ NODE_IMAGE: pinned })).toEqual(new Set([pinned]));
  });

  it('copies before it says which version it is: a new one keeps the layers of the one before', () => {
    const keywords = stagesOf(OURS)
      .at(-1)
      ?.steps.map(({ keyword, properties: [[name] = ['']] }) => `${keyword} ${name}`);
    expect(keywords?.lastIndexOf('COPY ')).toBeGreaterThan(0);
    expect(keywords?.lastIndexOf('COPY ')).toBeLessThan(keywords?.indexOf('ARG VERSION') ?? 0);
  });

  it('has the manifest of every package: one that is left out would not be installed', () => {
    const copied = stagesOf(OURS)[0]?.steps.map(({ text }) => text.split(' ')[0]);
    const lockfile = JSON.parse(textOf('package-lock.json')) as { packages: Record<string, unknown> };
    const folders = Object.keys(lockfile.packages).filter((folder) => /^(libs|services)\/[^/]+$/.test(folder));
    expect(folders.length).toBeGreaterThan(8);
    expect(copied?.filter((path) => /^(libs|services)\//.test(path ?? ''))).toEqual(
      folders.map((folder) => `${folder}/package.json`).toSorted(),
    );
  });
});

describe('a build in folders', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'po-builder-'));
    await mkdir(join(dir, 'context/src/deep'), { recursive: true });
    for (const file of ['a.txt', '.env', 'src/b.txt', 'src/deep/c.txt', 'src/deep/d.md'])
      await writeFile(join(dir, 'context', file), file);
  });
  afterEach(() => rm(dir, { recursive: true }));

  const build = (text: string, args: Record<string, string> = {}, ignore = '') =>
    new Builder({ text, context: join(dir, 'context'), ignore, dir: join(dir, 'stages') }).image(args);
  const reasonOf = (text: string, args: Record<string, string> = {}) =>
    build(text, args).then(
      () => 'it was built',
      (error: Error) => [error.message, (error.cause as Error | undefined)?.message].filter(Boolean).join(': '),
    );

  it('does what the instructions say', async () => {
    const image = await build(
      `
      ARG BASE=node:24
      FROM \${BASE} AS first
      ARG NAME
      WORKDIR /work
      COPY a.txt src ./
      # A comment between lines
      RUN cat a.txt > "$NAME.txt" \\
        && rm a.txt
      FROM $BASE
      ARG NAME
      ARG SUFFIX=-1
      COPY --from=first /work /there
      ENV WHO=\${NAME} HOW="\${HOW:-so so}"
      LABEL who="\${NAME}\${SUFFIX}"
      WORKDIR there
      USER 10001
      CMD ["node", "main.js"]`,
      { NAME: 'x' },
      '**/*.md\n*\n!a.txt\n!src\n**/*.md',
    );
    expect(image).toMatchObject({
      workdir: '/there',
      user: '10001',
      command: ['node', 'main.js'],
      env: { WHO: 'x', HOW: 'so so' },
      labels: { who: 'x-1' },
    });
    expect((await readdir(join(image.root, 'there'), { recursive: true })).toSorted()).toEqual([
      'b.txt',
      'deep',
      'deep/c.txt',
      'x.txt',
    ]);
    expect(await readFile(join(image.root, 'there/x.txt'), 'utf8')).toBe('a.txt');
  });

  it.each([
    ['FROM x\nCOPY missing.txt ./', /^line 2: COPY of 0 cannot be done: ENOENT/],
    ['FROM x\nCOPY --from=other / ./', /the Dockerfile has no stage other/],
    ['FROM x\nCOPY --chown=1:1 a.txt ./', /--chown is not understood/],
    ['FROM x\nRUN false', /^line 2: RUN of 0 cannot be done: sh -c failed \(1\)/],
    ['FROM x\nRUN mkdir /elsewhere', /it names \/elsewhere: outside of a container/],
    ['FROM x\nHEALTHCHECK NONE', /HEALTHCHECK is not understood/],
    ['FROM x\nUSER ${USER:?no}', /"\$\{USER:\?no\}…" is a variable that is not understood/],
    ['ARG X\nFROM ${X}', /line 2: FROM has no image/],
  ])('fails for %j', async (text, reason) => {
    expect(await reasonOf(text)).toMatch(reason);
  });

  it('fails for an argument that nothing declares', () => {
    expect(() => stagesOf('FROM x', { SERVICE: 'gateway' })).toThrow('the Dockerfile has no ARG SERVICE');
  });
});
