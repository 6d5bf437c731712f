/** A package in an npm lockfile. */
export interface LockedPackage {
  /** Path from the root, with "/". */
  path: string;
  name: string;
  version: string;
  /** Hash of the packed archive, as Subresource Integrity. */
  integrity: string | null;
  resolved: string | null;
  licence: string | null;
  /** Not needed by any deployed package. */
  isDev: boolean;
  isOptional: boolean;
  /** Only for some operating systems or processors. */
  isPlatformSpecific: boolean;
  hasInstallScript: boolean;
  /** Names of its dependencies, including optional and peer ones. */
  needs: string[];
}

interface Entry {
  name?: string;
  version?: string;
  integrity?: string;
  resolved?: string;
  license?: string;
  link?: boolean;
  dev?: boolean;
  optional?: boolean;
  os?: string[];
  cpu?: string[];
  libc?: string[];
  hasInstallScript?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
}

const INSTALLED = 'node_modules/';
const afterLast = (path: string): string => path.slice(path.lastIndexOf(INSTALLED) + INSTALLED.length);

const entriesOf = (lockfile: string): [path: string, entry: Entry][] =>
  Object.entries((JSON.parse(lockfile) as { packages: Record<string, Entry> }).packages);

/** All packages of a lockfile except the repository's own. */
export const lockedPackages = (lockfile: string): LockedPackage[] =>
  entriesOf(lockfile)
    .filter(([path, { link }]) => path.includes(INSTALLED) && !link)
    .map(([path, entry]) => lockedPackage(path, entry));

/** The repository's own packages in a lockfile, with the paths that they link to. */
export const ownPackages = (lockfile: string): { name: string; path: string }[] =>
  entriesOf(lockfile).flatMap(([path, { link, resolved }]) =>
    link && resolved ? [{ name: afterLast(path), path: resolved }] : [],
  );

function lockedPackage(path: string, entry: Entry): LockedPackage {
  const { dependencies, optionalDependencies, peerDependencies } = entry;
  return {
    path,
    name: entry.name ?? afterLast(path),
    version: entry.version ?? '',
    integrity: entry.integrity ?? null,
    resolved: entry.resolved ?? null,
    licence: entry.license ?? null,
    isDev: entry.dev === true,
    isOptional: entry.optional === true,
    isPlatformSpecific: [entry.os, entry.cpu, entry.libc].some((list) => list !== undefined),
    hasInstallScript: entry.hasInstallScript === true,
    needs: Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }),
  };
}

/** Resolves a package name from the path of another package, as Node does; null if it is not in the tree. */
export function resolvePackage(path: string, name: string, paths: ReadonlySet<string>): string | null {
  const steps = path === '' ? [] : path.split('/');
  for (let length = steps.length; length >= 0; length -= 1) {
    if (steps[length - 1] === 'node_modules') continue;
    const candidate = [...steps.slice(0, length), 'node_modules', name].join('/');
    if (paths.has(candidate)) return candidate;
  }
  return null;
}
