import type { Commit } from './commits.js';

type Level = 'major' | 'minor' | 'patch';

const FIRST = '1.0.0';
const VERSION = /^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/;

/** What changed since the last release, as the part of the version that has to rise. */
function levelOf(commits: readonly Commit[], breaks: readonly string[]): Level {
  if (breaks.length > 0 || commits.some((commit) => commit.breaks !== null)) return 'major';
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
  /** Since then. */
  commits: readonly Commit[];
  /** What the comparison with it found. */
  breaks: readonly string[];
}

/** The version of the next release: the wanted one, else the lowest that is allowed. Throws, saying which are, for a lower one. */
export function nextVersion({ last, commits, breaks }: Changes, wanted?: string): string {
  const level = levelOf(commits, breaks);
  const lowest = last === null ? FIRST : raised(last, level);
  if (wanted === undefined) return lowest;
  if (!VERSION.test(wanted)) throw new Error(`${wanted} is no version: three numbers are, as 1.2.3`);
  if (wanted.localeCompare(lowest, 'en', { numeric: true }) >= 0) return wanted;
  const reasons = [...commits.flatMap((commit) => commit.breaks ?? []), ...breaks].map((reason) => `\n  ${reason}`);
  throw new Error(
    `${wanted} is too low: ${last === null ? 'the first release' : `a ${level} change since ${last}`} allows ${lowest} or higher${reasons.join('')}`,
  );
}
