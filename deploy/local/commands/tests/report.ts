import type { TierResult } from './run-tier.js';

const SLOWEST = 20;

/** The slowest test files, one line each. */
export function slowestFiles(results: readonly TierResult[]): string {
  const files = results.flatMap(({ tier, files: own = [] }) => own.map((file) => ({ tier, ...file })));
  if (files.length === 0) return '';
  const lines = files
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, SLOWEST)
    .map(({ tier, path, seconds }) => `${secondsOf(seconds)}  ${tier.padEnd(16)}  ${path}`);
  return `\nslowest files\n${lines.join('\n')}\n`;
}

/** One line with the result of a tier. */
export const tierLine = ({ tier, passed, failed, seconds, problem }: TierResult): string =>
  `  ${tier.padEnd(16)} ${String(passed).padStart(5)} passed ${String(failed).padStart(5)} failed ${secondsOf(seconds)}${problem ? `  ${problem}` : ''}\n`;

/** One line for each tier, then the totals of passed and failed tests. */
export function summary(results: readonly TierResult[]): string {
  const sum = (name: 'passed' | 'failed') => results.reduce((total, result) => total + result[name], 0);
  return `\n${results.map(tierLine).join('')}\n${sum('passed')} passed, ${sum('failed')} failed\n`;
}

const secondsOf = (seconds: number): string => `${seconds.toFixed(1).padStart(7)} s`;
