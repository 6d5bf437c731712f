import type { LockedPackage } from './lockfile.js';

/** SPDX ids of the licences that deployed packages may have. Each only requires that its text is included. */
export const ALLOWED = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'MIT-0',
  'PSF-2.0',
];

/** Whether a licence, or each licence of an AND expression, is allowed. OR is not, because someone must make the choice first. */
export const isAllowed = (licence: string | null): boolean =>
  licence !== null && licence.split(' AND ').every((one) => ALLOWED.includes(one));

/** Reasons not to deploy packages, each with the remedy. */
export const licenceProblems = (packages: readonly LockedPackage[]): string[] =>
  packages
    .filter(({ isDev, licence }) => !isDev && !isAllowed(licence))
    .map(
      ({ name, version, licence }) =>
        `${name} ${version} has the licence ${licence ?? '(none stated)'}: use another package, or let legal decide and add it to ALLOWED ` +
        'in deploy/supply-chain/licences.ts',
    );
