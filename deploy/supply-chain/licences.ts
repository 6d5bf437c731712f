import type { LockedPackage } from './lockfile.js';

/** @public The documents' generator imports it from what is built. */
export const LICENCES = 'deploy/supply-chain/licences.md';

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

const PER_LINE = 3;

/** Whether it is one of those, or several of which all hold: of a choice somebody must choose first. */
export const isAllowed = (licence: string | null): boolean =>
  licence !== null && licence.split(' AND ').every((one) => ALLOWED.includes(one));

/** Why packages may not be deployed, each with the remedy. */
export const licenceProblems = (packages: readonly LockedPackage[]): string[] =>
  deployed(packages)
    .filter(({ licence }) => !isAllowed(licence))
    .map(
      ({ name, version, licence }) =>
        `${name} ${version} is licensed by ${licence ?? 'nothing that it names'}: use another package, or let legal decide and add it to ALLOWED ` +
        'in deploy/supply-chain/licences.ts',
    );

const deployed = (packages: readonly LockedPackage[]): LockedPackage[] => packages.filter(({ isDev }) => !isDev);

/**
 * The document of all of them, in Markdown.
 * @public The documents' generator imports it from what is built.
 */
export function licenceDocument(packages: readonly LockedPackage[]): string {
  const named = Map.groupBy(deployed(packages), ({ licence }) => licence ?? 'unknown');
  const chapters = [...named]
    .toSorted(([one], [another]) => (one < another ? -1 : 1))
    .flatMap(([licence, those]) => ['', `## ${licence}`, '', ...linesOf(those)]);
  return [
    '# Licences of what is deployed',
    '',
    'Every package that an image may have, on any platform, by its licence (SPDX). Written by `npm run docs` from `package-lock.json`;',
    'their texts are in each package, and so in each image. What is allowed stands in [`licences.ts`](licences.ts). What the portal is built',
    'of is [counted](README.md#licences) where it is built.',
    ...chapters,
    '',
  ].join('\n');
}

function linesOf(packages: readonly LockedPackage[]): string[] {
  const names = [...new Set(packages.map(({ name, version }) => `\`${name}\` ${version}`))].toSorted();
  return Array.from({ length: Math.ceil(names.length / PER_LINE) }, (_, line) => {
    const some = names.slice(line * PER_LINE, (line + 1) * PER_LINE).join(', ');
    return (line + 1) * PER_LINE < names.length ? `${some},` : some;
  });
}
