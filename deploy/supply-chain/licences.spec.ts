import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { REPOSITORY } from '../local/repository.js';
import { ALLOWED, isAllowed, licenceProblems } from './licences.js';
import { lockedPackages } from './lockfile.js';

const read = (path: string): string => readFileSync(join(REPOSITORY, path), 'utf8');
const packages = lockedPackages(read('package-lock.json'));

it('every deployed package has an allowed licence', () => {
  expect(licenceProblems(packages)).toEqual([]);
});

it('every allowed licence is used by a deployed package', () => {
  const used = new Set(packages.filter(({ isDev }) => !isDev).map(({ licence }) => licence));
  expect(ALLOWED.filter((licence) => !used.has(licence))).toEqual([]);
});

it('a combination of licences with AND is allowed if each licence is', () => {
  const allowed = ['MIT', 'MIT AND ISC', 'MIT OR ISC', 'MIT AND GPL-2.0-only', '', ' AND '].map(isAllowed);
  expect(allowed).toEqual([true, true, false, false, false, false]);
});

it.each(['GPL-3.0-only', 'SSPL-1.0', 'MIT OR GPL-2.0-only', null])(
  'a deployed package with the licence %s is refused, with the remedy',
  (licence) => {
    const [one, ...others] = packages.filter(({ isDev }) => !isDev);
    const found = licenceProblems([...others, { ...one!, licence }]);
    expect(found).toEqual([expect.stringMatching(/use another package, or let legal decide and add it to ALLOWED/)]);
    expect(found[0]).toContain(`${one!.name} ${one!.version}`);
    expect(licenceProblems([{ ...one!, licence, isDev: true }])).toEqual([]);
  },
);
