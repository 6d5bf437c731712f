import { expect, it } from '@jest/globals';
import { textOf } from '@po/testing/documents';

const DOCKERFILE = textOf('deploy/Dockerfile');

it('the Dockerfile copies before it says which version it is: a new one keeps the layers of the one before', () => {
  const last = DOCKERFILE.slice(DOCKERFILE.lastIndexOf('\nFROM '));
  expect(last.lastIndexOf('\nCOPY ')).toBeGreaterThan(0);
  expect(last.lastIndexOf('\nCOPY ')).toBeLessThan(last.indexOf('\nARG VERSION'));
});

it('the Dockerfile has the manifest of every package: one that is left out would not be installed', () => {
  const copied = [...DOCKERFILE.matchAll(/^COPY ((?:libs|services)\/\S+) /gm)].map(([, path]) => path);
  const lockfile = JSON.parse(textOf('package-lock.json')) as { packages: Record<string, unknown> };
  const folders = Object.keys(lockfile.packages).filter((folder) => /^(libs|services)\/[^/]+$/.test(folder));
  expect(folders.length).toBeGreaterThan(8);
  expect(copied).toEqual(folders.map((folder) => `${folder}/package.json`).toSorted());
});

it('the Dockerfile lets everybody read what the image gets, whatever the modes of the checkout', () => {
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
