import type { LockedPackage } from './lockfile.js';

/** SPDX ids of the licences that deployed packages may have; each requires only that its text is included. */
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

/** Whether it is one of those, or several of which all hold: of a choice somebody must choose first. */
export const isAllowed = (licence: string | null): boolean =>
  licence !== null && licence.split(' AND ').every((one) => ALLOWED.includes(one));

/** Why packages may not be deployed, each with the remedy. */
export const licenceProblems = (packages: readonly LockedPackage[]): string[] =>
  packages
    .filter(({ isDev, licence }) => !isDev && !isAllowed(licence))
    .map(
      ({ name, version, licence }) =>
        `${name} ${version} is licensed by ${licence ?? 'nothing that it names'}: use another package, or let legal decide and add it to ALLOWED ` +
        'in deploy/supply-chain/licences.ts',
    );
