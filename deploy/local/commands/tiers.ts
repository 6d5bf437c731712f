import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { childEnvironment } from '../config.js';
import { REPOSITORY } from '../repository.js';

// What is built is what others of the repository import: what is unused can be told after it.
const CHECKS = ['format', 'lint', 'types', 'unused', 'unit'] as const;
/** What `npm test` runs. */
export const TIERS = [
  ...CHECKS,
  'integration',
  'e2e',
  'portal',
  'assembled',
  'examples',
  'faults',
  'cluster',
  'upgrade',
] as const;
/** What `npm run test:ops` runs, which needs other tools. */
const OPS_TIERS = ['ops', 'api-server', 'images'] as const;
export type Tier = (typeof TIERS)[number] | (typeof OPS_TIERS)[number];

export interface TierResult {
  tier: Tier;
  passed: number;
  failed: number;
  seconds: number;
  /** Why it counts as failed where no test says so. */
  problem?: string;
}

export interface TierOptions {
  /** For jest's report. */
  dir: string;
  environment: Record<string, string>;
  /** Further arguments for jest. */
  args: readonly string[];
  signal: AbortSignal;
}

// Jest would leave one of two cores idle.
const PARALLEL = '--maxWorkers=2';
/** What one test of a browser may take on a machine that does much else; each wait of it is shorter. */
const JOURNEY_MS = 300_000;
const FOLDERS = ['libs', 'services', 'deploy', 'test'];
const bin = (name: string) => join(REPOSITORY, 'node_modules/.bin', name);

/** Runs one tier with its output on this terminal. A tier that ran no test has failed. */
export async function runTier(tier: Tier, options: TierOptions): Promise<TierResult> {
  const startedAt = performance.now();
  const done = (counts: Omit<TierResult, 'tier' | 'seconds'>): TierResult => ({
    tier,
    ...counts,
    seconds: (performance.now() - startedAt) / 1000,
  });
  const check = async (command: string, args: readonly string[]) =>
    done((await execute(command, args, options)) === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 });
  switch (tier) {
    case 'format':
      return check(bin('oxfmt'), ['--check']);
    case 'lint':
      return check(bin('oxlint'), ['--type-aware', '--deny-warnings', ...FOLDERS]);
    case 'unused':
      return check('npm', ['run', '--silent', 'knip']);
    case 'types':
      return check(bin('tsc'), ['-b', 'test']);
    case 'unit':
      return done(
        await jest(
          [
            '--testPathIgnorePatterns',
            '\\.(int|e2e|assembled|examples|fault|cluster|upgrade|portal|ops|api-server|images)\\.spec\\.ts$',
            PARALLEL,
          ],
          tier,
          options,
        ),
      );
    case 'integration':
      return done(await jest(['--testMatch', '**/*.int.spec.ts', PARALLEL], tier, options));
    case 'e2e':
      // One after another: they share one stack, and some restart parts of it.
      return done(await jest(['--testMatch', '**/*.e2e.spec.ts', '--runInBand'], tier, options));
    case 'assembled':
      return done(await jest(['--testMatch', '**/*.assembled.spec.ts', '--runInBand'], tier, options));
    case 'portal':
      // On one stack, with users, orders and gateways of their own where they would be in each other's way.
      return done(
        await jest(['--testMatch', '**/*.portal.spec.ts', PARALLEL, `--testTimeout=${JOURNEY_MS}`], tier, options),
      );
    case 'examples':
      return done(await jest(['--testMatch', '**/*.examples.spec.ts', '--runInBand'], tier, options));
    case 'faults':
      return done(await jest(['--testMatch', '**/*.fault.spec.ts', '--runInBand'], tier, options));
    case 'cluster':
      return done(await jest(['--testMatch', '**/*.cluster.spec.ts', '--runInBand'], tier, options));
    case 'upgrade':
      return done(await jest(['--testMatch', '**/*.upgrade.spec.ts', '--runInBand'], tier, options));
    case 'ops':
      return done(await jest(['--testMatch', '**/*.ops.spec.ts', PARALLEL], tier, options));
    case 'api-server':
      return done(await jest(['--testMatch', '**/*.api-server.spec.ts', '--runInBand'], tier, options));
    case 'images':
      return done(await jest(['--testMatch', '**/*.images.spec.ts', '--runInBand'], tier, options));
    default:
      return tier satisfies never;
  }
}

async function jest(
  which: readonly string[],
  tier: Tier,
  options: TierOptions,
): Promise<Pick<TierResult, 'passed' | 'failed' | 'problem'>> {
  const report = join(options.dir, `${tier}.json`);
  const program = ['--experimental-vm-modules', '--no-warnings', join(REPOSITORY, 'node_modules/jest/bin/jest.js')];
  const reporting = ['--json', `--outputFile=${report}`];
  const code = await execute(process.execPath, [...program, ...which, ...reporting, ...options.args], options);
  const outcome = await readFile(report, 'utf8').then(
    (text) => JSON.parse(text) as JestReport,
    () => null,
  );
  if (!outcome) return { passed: 0, failed: 1, problem: 'jest wrote no report' };
  const { numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped } = outcome;
  const broken = outcome.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  );
  const counts = { passed, failed: failed + broken.length };
  if (broken.length > 0) return { ...counts, problem: `${broken.length} file(s) could not run` };
  if (passed + failed === 0) return { ...counts, failed: 1, problem: 'no test ran' };
  if (skipped > 0) return { ...counts, failed: failed + skipped, problem: `${skipped} test(s) were skipped` };
  if (code !== 0 && failed === 0) return { ...counts, failed: 1, problem: `jest ended with ${code}` };
  return counts;
}

interface JestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  testResults: { status: string; assertionResults: unknown[] }[];
}

function execute(command: string, args: readonly string[], { environment, signal }: TierOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: REPOSITORY,
      // Jest prints its report on standard output and everything for people on standard error.
      stdio: ['ignore', args.includes('--json') ? 'ignore' : 'inherit', 'inherit'],
      env: childEnvironment(environment),
      signal,
    });
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/** One line a tier, and last how many passed and failed. */
export function summary(results: readonly TierResult[]): string {
  const lines = results.map(
    ({ tier, passed, failed, seconds, problem }) =>
      `  ${tier.padEnd(12)} ${String(passed).padStart(5)} passed ${String(failed).padStart(5)} failed ${seconds.toFixed(1).padStart(7)} s${problem ? `  ${problem}` : ''}`,
  );
  const sum = (name: 'passed' | 'failed') => results.reduce((total, result) => total + result[name], 0);
  return `\n${lines.join('\n')}\n\n${sum('passed')} passed, ${sum('failed')} failed\n`;
}
