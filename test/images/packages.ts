import { resolvePackage } from '#supply-chain/lockfile.js';

interface Package {
  /** Folder of a linked package. */
  resolved?: string;
  /** Whether npm omits the package on machines that it does not support. */
  optional?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}
export interface Lockfile {
  packages: Record<string, Package & { link?: boolean }>;
}

/** Folders of all packages that the package in a folder needs at run time according to the lockfile, including itself. */
export function neededBy({ packages }: Lockfile, folder: string, found = new Set<string>()): Set<string> {
  if (found.has(folder)) return found;
  found.add(folder);
  const { dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta } = packages[folder] ?? {};
  const peers = Object.keys(peerDependencies).filter((peer) => !peerDependenciesMeta?.[peer]?.optional);
  const paths = new Set(Object.keys(packages));
  for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) {
    const place = resolvePackage(folder, name, paths);
    if (place === null) throw new Error(`the lockfile has no ${name} for ${folder}`);
    neededBy({ packages }, (packages[place]?.link && packages[place].resolved) || place, found);
  }
  return found;
}
