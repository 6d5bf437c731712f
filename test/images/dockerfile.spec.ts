import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { ROOT, readText } from '@po/testing/documents';

const DOCKERFILE = readText('deploy/Dockerfile');

it('the Dockerfile copies files before it sets the version, so a new version reuses the cached layers', () => {
  const last = DOCKERFILE.slice(DOCKERFILE.lastIndexOf('\nFROM '));
  expect(last.lastIndexOf('\nCOPY ')).toBeGreaterThan(0);
  expect(last.lastIndexOf('\nCOPY ')).toBeLessThan(last.indexOf('\nARG VERSION'));
});

it('the Dockerfile copies the manifest of every package, because npm would not install a missing one', () => {
  const copied = [...DOCKERFILE.matchAll(/^COPY ((?:libs|services)\/\S+) /gm)].map(([, path]) => path);
  const lockfile = JSON.parse(readText('package-lock.json')) as { packages: Record<string, unknown> };
  const folders = Object.keys(lockfile.packages).filter((folder) => /^(libs|services)\/[^/]+$/.test(folder));
  expect(folders.length).toBeGreaterThan(8);
  expect(copied).toEqual(folders.map((folder) => `${folder}/package.json`).toSorted());
});

it('the Dockerfile makes every copied file readable for all users, whatever the modes of the checkout', () => {
  const stages = DOCKERFILE.split(/^(?=FROM )/m);
  const sources = [...(stages.at(-1) ?? '').matchAll(/^COPY --from=(\w+) \/app(\S*) /gm)];
  expect(sources).toHaveLength(3);
  const unreadable = sources.filter(([, name, path = '']) => {
    const stage = stages.find((text) => text.split('\n', 1)[0]?.endsWith(` AS ${name}`)) ?? '';
    const [, opened = ''] = /\n {2}&& chmod -R a\+rX (.*)\n+(?:#.*\n)*$/.exec(stage) ?? [];
    return !opened.split(' ').includes(path.slice(1) || '.');
  });
  expect(unreadable.map(([line]) => line)).toEqual([]);
});

it('the images stop on SIGTERM even during startup, although process 1 ignores a signal without a handler and it comes once', async () => {
  const [, command = ''] = /^CMD (.*)$/m.exec(DOCKERFILE) ?? [];
  const options = (JSON.parse(command) as string[])
    .slice(1, -1)
    .map((option) => option.replace(/\.\.\/\.\.\/(.*)\/dist\/(.*)\.js$/, join(ROOT, '$1/src/$2.ts')));
  const started = spawn(process.execPath, [...options, '-e', 'setInterval(() => undefined, 1_000); console.log("up")']);
  await once(started.stdout, 'data');
  started.kill('SIGTERM');
  expect(await once(started, 'exit')).toEqual([143, null]);
});
