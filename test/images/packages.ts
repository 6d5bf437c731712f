import { foundFrom } from '#supply-chain/lockfile.js';

interface Package {
  /** Of a link: the folder. */
  resolved?: string;
  /** Left out where it does not fit the machine. */
  optional?: boolean;
  dependencies?: Record<string, string>;
  optionalDependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
}
export interface Lockfile {
  packages: Record<string, Package & { link?: boolean }>;
}

/** The folders of all packages that one in this folder needs to run, by the lockfile; its own too. */
export function neededBy({ packages }: Lockfile, folder: string, found = new Set<string>()): Set<string> {
  if (found.has(folder)) return found;
  found.add(folder);
  const { dependencies, optionalDependencies, peerDependencies = {}, peerDependenciesMeta } = packages[folder] ?? {};
  const peers = Object.keys(peerDependencies).filter((peer) => !peerDependenciesMeta?.[peer]?.optional);
  const paths = new Set(Object.keys(packages));
  for (const name of [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]) {
    const place = foundFrom(folder, name, paths);
    if (place === null) throw new Error(`the lockfile has no ${name} for ${folder}`);
    neededBy({ packages }, (packages[place]?.link && packages[place].resolved) || place, found);
  }
  return found;
}
