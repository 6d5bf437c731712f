import { describe, expect, it } from '@jest/globals';
import { bundleProblems, bundledIn, lockedOf } from './bundled.js';
import { lockedPackages } from './lockfile.js';

const NOTICES = [
  '# Licenses',
  '',
  'The app bundles dependencies which contain the following licenses:',
  '',
  '## @s/one - 1.0.0 (MIT)',
  '',
  'MIT License',
  '',
  '## Terms',
  '',
  'Permission is granted',
  '',
  '## two - 2.0.0-rc.1 (GPL-3.0-only)',
  '',
  'GNU',
  '',
  '## three - 3.0.0',
  '',
].join('\n');

describe('the packages bundled in the portal', () => {
  it('are read from the licence list that its build writes', () => {
    expect(bundledIn(NOTICES)).toEqual([
      { name: '@s/one', version: '1.0.0', licence: 'MIT', hasText: true },
      { name: 'two', version: '2.0.0-rc.1', licence: 'GPL-3.0-only', hasText: true },
      { name: 'three', version: '3.0.0', licence: null, hasText: false },
    ]);
  });

  it('are refused without an allowed licence or without a licence text, with the remedy', () => {
    expect(bundleProblems(bundledIn(NOTICES))).toEqual([
      expect.stringMatching(/^two 2\.0\.0-rc\.1 .* GPL-3\.0-only: use another package, or let legal decide/),
      expect.stringMatching(/^three 3\.0\.0 .* has the licence \(none stated\)/),
      expect.stringMatching(/^three 3\.0\.0 .* has no licence text/),
    ]);
  });

  it('may share the licence text of another bundled package of the same author', () => {
    const bar = '## react-remove-scroll-bar - 2.3.8 (MIT)\n';
    const scroll = '## react-remove-scroll - 2.7.2 (MIT)\n\nMIT License\n';
    expect(bundleProblems(bundledIn(bar + scroll))).toEqual([]);
    expect(bundleProblems(bundledIn(bar))).toHaveLength(1);
  });

  it('must have the versions of the lockfile', () => {
    const integrity = 'sha512-x';
    const lockfile = {
      packages: { 'node_modules/@s/one': { version: '1.0.0', integrity, license: 'MIT', dev: true } },
    };
    const locked = lockedPackages(JSON.stringify(lockfile));
    const [one, two] = bundledIn(NOTICES);
    expect(lockedOf([one!], locked)).toMatchObject([{ path: 'node_modules/@s/one', integrity }]);
    expect(() => lockedOf([two!], locked)).toThrow('two 2.0.0-rc.1 is in the portal and not in package-lock.json');
  });
});
