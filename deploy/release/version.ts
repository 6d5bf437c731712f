import type { Commit } from './commits.js';

type Level = 'major' | 'minor' | 'patch';
type Numbers = [major: number, minor: number, patch: number];

const FIRST = '1.0.0';

/** What changed since the last release, as the part of the version that has to rise. */
function levelOf(commits: readonly Commit[], breaks: readonly string[]): Level {
  if (breaks.length > 0 || commits.some((commit) => commit.breaks !== null)) return 'major';
  return commits.some(({ type }) => type === 'feat') ? 'minor' : 'patch';
}

function numbersOf(version: string): Numbers {
  const [text, ...numbers] = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)$/.exec(version) ?? [];
  if (text === undefined) throw new Error(`${version} is no version: three numbers are, as 1.2.3`);
  return numbers.map(Number) as Numbers;
}

function raised(version: string, level: Level): string {
  const [major, minor, patch] = numbersOf(version);
  if (level === 'major') return `${major + 1}.0.0`;
  return level === 'minor' ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
}

function isLower(version: string, other: string): boolean {
  const [ours, theirs] = [numbersOf(version), numbersOf(other)];
  const at = ours.findIndex((number, index) => number !== theirs[index]);
  return at >= 0 && ours[at]! < theirs[at]!;
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
  if (!isLower(wanted, lowest)) return wanted;
  const reasons = [...commits.flatMap((commit) => commit.breaks ?? []), ...breaks].map((reason) => `\n  ${reason}`);
  throw new Error(
    `${wanted} is too low: ${last === null ? 'the first release' : `a ${level} change since ${last}`} allows ${lowest} or higher${reasons.join('')}`,
  );
}
