import { isAllowed } from './licences.js';
import type { LockedPackage } from './lockfile.js';

/** List of bundled packages that the portal's build writes. The path is relative to a checkout or to /app of an image. */
export const NOTICES = 'services/portal/dist/site/third-party-licences.txt';

/** A package whose code is in the portal's files. */
interface BundledPackage {
  name: string;
  version: string;
  licence: string | null;
  hasText: boolean;
}

/** Packages without a licence text, each with a package of the same author and licence that has the text. */
const TEXT_OF: Readonly<Record<string, string>> = { 'react-remove-scroll-bar': 'react-remove-scroll' };

const HEADING = /^## (\S+) - (\d\S*)(?: \((.+)\))?$/;

/** Parses the list of bundled packages. */
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

/** Reasons not to bundle packages in the portal, each with the remedy. */
export function bundleProblems(bundled: readonly BundledPackage[]): string[] {
  const withText = new Set(bundled.filter(({ hasText }) => hasText).map(({ name }) => name));
  return bundled.flatMap(({ name, version, licence }) => [
    ...(isAllowed(licence)
      ? []
      : [
          `${name} ${version} of the portal has the licence ${licence ?? '(none stated)'}: use another package, or let legal decide and ` +
            'add it to ALLOWED in deploy/supply-chain/licences.ts',
        ]),
    ...(withText.has(name) || withText.has(TEXT_OF[name] ?? '')
      ? []
      : [`${name} ${version} of the portal has no licence text: name a package that has it in TEXT_OF`]),
  ]);
}

/** Lockfile entries of the bundled packages, with their hashes. Throws if a package is not in the lockfile. */
export function lockedOf(bundled: readonly BundledPackage[], packages: readonly LockedPackage[]): LockedPackage[] {
  return bundled.map(({ name, version }) => {
    const locked = packages.find((one) => one.name === name && one.version === version);
    if (!locked) throw new Error(`${name} ${version} is in the portal and not in package-lock.json: build it again`);
    return locked;
  });
}
