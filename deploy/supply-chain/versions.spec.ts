import { expect, it } from '@jest/globals';
import { heldVersions, versionProblems } from './versions.js';

const REPORT = {
  zod: { current: '4.6.6', wanted: '4.6.7', latest: '4.6.7' },
  typescript: [{ current: '5.9.3', wanted: '5.9.3', latest: '7.0.2' }],
};

it('reports outdated versions with the remedy, unless they are held with a reason', () => {
  expect(versionProblems(REPORT, { typescript: 'the generator needs it' })).toEqual([
    'zod is 4.6.6, 4.6.7 is there: update it, or say why not in deploy/supply-chain/held-versions.json',
  ]);
  expect(heldVersions(REPORT, { typescript: 'the generator needs it' })).toEqual([
    'typescript 5.9.3, not 7.0.2: the generator needs it',
  ]);
});

it('reports a reason that no longer applies', () => {
  expect(versionProblems({}, { zod: 'because' })).toEqual([
    'zod is current, but held-versions.json says why it is not: take it out',
  ]);
  expect(versionProblems({}, {})).toEqual([]);
});
