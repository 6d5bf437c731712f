import { isAllowed } from './licences.js';
import type { LockedPackage } from './lockfile.js';

/** The list of bundled packages that the portal's build writes; from the root of a checkout, and of an image's /app. */
export const NOTICES = 'services/portal/dist/site/third-party-licences.txt';

/** A package that something of is in the files that browsers get. */
interface BundledPackage {
  name: string;
  version: string;
  licence: string | null;
  hasText: boolean;
}

/** Packages without a licence text, and those of the same author and licence that have it. */
const TEXT_OF: Readonly<Record<string, string>> = { 'react-remove-scroll-bar': 'react-remove-scroll' };

const HEADING = /^## (\S+) - (\d\S*)(?: \((.+)\))?$/;

/** The bundled packages, as the portal's build listed them. */
export function bundledIn(notices: string): BundledPackage[] {
  const found: BundledPackage[] = [];
  for (const line of notices.split('\n')) {
    const [heading, name = '', version = '', licence = null] = HEADING.exec(line) ?? [];
    const last = found.at(-1);
    if (heading) found.push({ name, version, licence, hasText: false });
    else if (last && line.trim() !== '') last.hasText = true;
  }
  return found;
}

/** Why packages may not be bundled in the portal, each with the remedy. */
export function bundleProblems(bundled: readonly BundledPackage[]): string[] {
  const withText = new Set(bundled.filter(({ hasText }) => hasText).map(({ name }) => name));
  return bundled.flatMap(({ name, version, licence }) => [
    ...(isAllowed(licence)
      ? []
      : [
          `${name} ${version} of the portal is licensed by ${licence ?? 'nothing that it names'}: use another package, or let legal decide and ` +
            'add it to ALLOWED in deploy/supply-chain/licences.ts',
        ]),
    ...(withText.has(name) || withText.has(TEXT_OF[name] ?? '')
      ? []
      : [`${name} ${version} of the portal brings no text of its licence: name a package that has it in TEXT_OF`]),
  ]);
}

/** The same packages as they are locked, with their hashes. Throws for one that is not. */
export function lockedOf(bundled: readonly BundledPackage[], packages: readonly LockedPackage[]): LockedPackage[] {
  return bundled.map(({ name, version }) => {
    const locked = packages.find((one) => one.name === name && one.version === version);
    if (!locked) throw new Error(`${name} ${version} is in the portal and not in package-lock.json: build it anew`);
    return locked;
  });
}
