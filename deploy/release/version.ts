import type { Commit } from './commits.js';

type Level = 'major' | 'minor' | 'patch';

const FIRST = '1.0.0';
const VERSION = /^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/;

/** Part of the version that the changes since the last release require to rise. */
function levelOf(commits: readonly Commit[], breakingChanges: readonly string[]): Level {
  if (breakingChanges.length > 0 || commits.some((commit) => commit.breakingChange !== null)) return 'major';
  return commits.some(({ type }) => type === 'feat') ? 'minor' : 'patch';
}

function raised(version: string, level: Level): string {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  if (level === 'major') return `${major + 1}.0.0`;
  return level === 'minor' ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}

export interface Changes {
  /** Version of the last release, or null before the first. */
  last: string | null;
  /** Commits since the last release. */
  commits: readonly Commit[];
  /** Breaking changes found by the comparison with the last release. */
  breakingChanges: readonly string[];
}

/** Next version: the wanted one, or else the lowest allowed one. Throws an error with the lowest allowed version if it is too low. */
export function nextVersion({ last, commits, breakingChanges }: Changes, wanted?: string): string {
  const level = levelOf(commits, breakingChanges);
  const lowest = last === null ? FIRST : raised(last, level);
  if (wanted === undefined) return lowest;
  if (!VERSION.test(wanted)) throw new Error(`${wanted} is not a version: use three numbers, such as 1.2.3`);
  if (wanted.localeCompare(lowest, 'en', { numeric: true }) >= 0) return wanted;
  const reasons = [...commits.flatMap((commit) => commit.breakingChange ?? []), ...breakingChanges].map(
    (reason) => `\n  ${reason}`,
  );
  throw new Error(
    `${wanted} is too low: ${last === null ? 'the first release' : `a ${level} change since ${last}`} allows ${lowest} or higher${reasons.join('')}`,
  );
}
