import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { REPOSITORY } from '../local/repository.js';
import { resolvePackage, lockedPackages, ownPackages } from './lockfile.js';

const lockfile = readFileSync(join(REPOSITORY, 'package-lock.json'), 'utf8');
const packages = lockedPackages(lockfile);
const named = (some: typeof packages) => some.map(({ path, version }) => `${path} ${version}`);

describe('the lockfile', () => {
  it('contains the expected number of packages, each with a name and a version', () => {
    expect(packages.length).toBeGreaterThan(500);
    expect(packages.filter(({ isDev }) => !isDev).length).toBeGreaterThan(150);
    expect(packages.filter(({ name, version }) => name === '' || version === '')).toEqual([]);
  });

  it('has a hash for every deployed package', () => {
    const without = packages.filter(({ integrity }) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? ''));
    expect(named(without.filter(({ isDev }) => !isDev))).toEqual([]);
    // Optional tools of other platforms may lack a hash, because npm did not download them when it wrote the lockfile.
    expect(named(without.filter(({ isOptional, isPlatformSpecific }) => !isOptional || !isPlatformSpecific))).toEqual(
      [],
    );
    expect(without.length).toBeLessThanOrEqual(46);
  });

  it('contains no registry URL, because each installation configures its own', () => {
    expect(packages.filter(({ resolved }) => resolved !== null)).toEqual([]);
    const own = ownPackages(lockfile);
    expect(own.length).toBeGreaterThan(8);
    const strange = own.filter(
      ({ path }) => !/^(libs|services)\/[\w-]+$/.test(path) || !existsSync(join(REPOSITORY, path)),
    );
    expect(strange).toEqual([]);
  });

  it('belongs to manifests that request every dependency by version', () => {
    const manifests = ['', ...ownPackages(lockfile).map(({ path }) => path)].map(
      (path) =>
        JSON.parse(readFileSync(join(REPOSITORY, path, 'package.json'), 'utf8')) as Record<
          string,
          Record<string, string>
        >,
    );
    const declared = manifests.flatMap(({ dependencies = {}, devDependencies = {} }) =>
      Object.entries({ ...dependencies, ...devDependencies }),
    );
    expect(declared.length).toBeGreaterThan(80);
    expect(
      declared.filter(([name, range]) => !(name.startsWith('@po/') ? range === '*' : /^[~^]?\d/.test(range))),
    ).toEqual([]);
  });
});

describe('the lockfile of the browser that tests the portal', () => {
  const folder = join(REPOSITORY, 'test/portal/browser/packages');
  const locked = lockedPackages(readFileSync(join(folder, 'package-lock.json'), 'utf8'));

  it('has a hash for every package, and neither a registry nor an install script', () => {
    expect(locked.length).toBeGreaterThan(2);
    expect(named(locked.filter(({ integrity }) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? '')))).toEqual([]);
    expect(named(locked.filter(({ resolved, hasInstallScript }) => resolved !== null || hasInstallScript))).toEqual([]);
  });

  it('has each requested package in exactly that version', () => {
    const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    const versions = new Map(locked.map(({ name, version }) => [name, version]));
    expect(Object.entries(dependencies).filter(([name, version]) => versions.get(name) !== version)).toEqual([]);
  });
});

describe('resolvePackage', () => {
  const paths = new Set(['node_modules/a', 'node_modules/b', 'node_modules/a/node_modules/b', 'libs/x/node_modules/b']);

  it.each([
    ['node_modules/a', 'b', 'node_modules/a/node_modules/b'],
    ['node_modules/b', 'a', 'node_modules/a'],
    ['libs/x', 'b', 'libs/x/node_modules/b'],
    ['libs/y', 'b', 'node_modules/b'],
    ['node_modules/@s/c', 'b', 'node_modules/b'],
    ['', 'a', 'node_modules/a'],
    ['node_modules/a', 'c', null],
  ])('from %s resolves %s as Node does, to %s', (path, name, found) => {
    expect(resolvePackage(path, name, paths)).toBe(found);
  });

  it('resolves a package at the top level if there is no closer one', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z]{1,5}$/), { maxLength: 5 }), (steps) => {
        const path = steps.map((step) => `node_modules/${step}`).join('/');
        expect(resolvePackage(path, 'TOP', new Set(['node_modules/TOP']))).toBe('node_modules/TOP');
      }),
    );
  });
});
