import { execFile } from 'node:child_process';
import { childEnvironment } from '#local/config.js';

interface Behind {
  current?: string;
  wanted: string;
  latest: string;
}
/** What `npm outdated --json` prints: one for each place that asks for the package. */
export type OutdatedReport = Record<string, Behind | Behind[]>;

/** Asks the registry for newer versions of what the repository asks for. */
export function askOutdated(cwd: string): Promise<OutdatedReport> {
  return new Promise((resolve, reject) => {
    const args = ['outdated', '--json', '--loglevel=silent'];
    execFile('npm', args, { cwd, env: childEnvironment({}), maxBuffer: 16 * 1024 * 1024 }, (error, output) => {
      const report = JSON.parse(output || '{}') as OutdatedReport & { error?: { summary: string } };
      // It ends with 1 where something is behind.
      if (report.error)
        reject(new Error(`the registry did not say what is current: ${report.error.summary}`, { cause: error }));
      else resolve(report);
    });
  });
}

/** Outdated packages without a reason, and reasons for packages that are not outdated; `held`: package to reason. */
export function versionProblems(report: OutdatedReport, held: Record<string, string>): string[] {
  const behind = Object.entries(report).filter(([name]) => !Object.hasOwn(held, name));
  const idle = Object.keys(held).filter((name) => !Object.hasOwn(report, name));
  return [
    ...behind.map(([name, places]) => {
      const [{ current = 'not installed', latest } = { latest: '' }] = [places].flat();
      return `${name} is ${current}, ${latest} is there: update it, or say why not in deploy/supply-chain/held-versions.json`;
    }),
    ...idle.map((name) => `${name} is current, but held-versions.json says why it is not: take it out`),
  ];
}

/** Packages that are held for a reason, as lines for people. */
export const heldVersions = (report: OutdatedReport, held: Record<string, string>): string[] =>
  Object.entries(report).flatMap(([name, places]) => {
    const [{ current = '', latest } = { latest: '' }] = [places].flat();
    return Object.hasOwn(held, name) ? `${name} ${current}, not ${latest}: ${held[name]}` : [];
  });
