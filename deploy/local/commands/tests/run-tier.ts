import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { chmod, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { childEnvironment } from '../../config.js';
import { makeNice } from '../../processes/run.js';
import { REPOSITORY } from '../../repository.js';
import { type JestTier, TIERS, type Tier, filesOf } from './tiers.js';

export interface TierResult {
  tier: Tier;
  passed: number;
  failed: number;
  seconds: number;
  /** Reason for a failure that is not a failed test. */
  problem?: string;
  /** Duration of each test file in seconds. */
  files?: { path: string; seconds: number }[];
}

export interface TierOptions {
  /** Folder for Jest's report and temporary files. */
  dir: string;
  environment: Record<string, string>;
  /** Further arguments for Jest. */
  args: readonly string[];
  signal: AbortSignal;
  /** File for the output of the tier; this terminal if absent. */
  output?: string;
}

type ExecuteOptions = TierOptions & { niceness?: number | undefined };

type Outcome = Omit<TierResult, 'tier' | 'seconds'>;

/** Runs one tier in the given environment. A tier without any test has failed. */
export async function runTier(tier: Tier, options: TierOptions): Promise<TierResult> {
  const startedAt = performance.now();
  const outcome = await run(tier, options);
  return { tier, ...outcome, seconds: (performance.now() - startedAt) / 1000 };
}

async function run(tier: Tier, options: TierOptions): Promise<Outcome> {
  const definition = TIERS[tier];
  switch (definition.kind) {
    case 'check': {
      const { code } = await execute(definition.command, definition.args, options);
      return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
    }
    case 'command': {
      const bootstrap = join(REPOSITORY, 'deploy/local/bootstrap.mjs');
      const { args, niceness } = definition;
      const { code, printed } = await execute(process.execPath, [bootstrap, ...args], { ...options, niceness });
      return commandOutcome(code, printed);
    }
    case 'jest':
      return jest(tier, definition, options);
    default:
      return definition satisfies never;
  }
}

/** Reads the result from the last line of a command. A command without a result has failed. */
export function commandOutcome(code: number, printed: string): Outcome {
  const [, passed, failed] = /^(\d+) passed, (\d+) failed$/m.exec(printed.trimEnd().split('\n').at(-1) ?? '') ?? [];
  if (passed === undefined) return { passed: 0, failed: 1, problem: `ended with ${code} before its tests finished` };
  if (code !== 0 && failed === '0') return { passed: Number(passed), failed: 1, problem: `ended with ${code}` };
  return { passed: Number(passed), failed: Number(failed) };
}

async function jest(tier: Tier, definition: JestTier, options: TierOptions): Promise<Outcome> {
  const report = join(options.dir, `${tier}.json`);
  const program = [
    '--experimental-vm-modules',
    '--no-warnings',
    // In MiB. Each file evaluates its modules again; with Node's default, collecting short-lived objects takes a sixth of the time.
    '--max-semi-space-size=32',
    join(REPOSITORY, 'node_modules/jest/bin/jest.js'),
  ];
  const { workers, variables, niceness } = definition;
  // Below the folder of this run, so that temporary files of interrupted tests are found.
  const temporary = join(options.dir, 'tmp');
  await mkdir(temporary, { recursive: true });
  // PostgreSQL may run as another user, which must be able to reach its data.
  await chmod(temporary, 0o755);
  const { code } = await execute(
    process.execPath,
    [
      ...program,
      ...filesOf(definition),
      workers === 1 ? '--runInBand' : `--maxWorkers=${workers}`,
      '--ci',
      '--json',
      `--outputFile=${report}`,
      ...options.args,
    ],
    { ...options, niceness, environment: { TMPDIR: temporary, ...options.environment, ...variables } },
  );
  const text = await readFile(report, 'utf8').catch(() => null);
  if (text === null) return { passed: 0, failed: 1, problem: 'jest wrote no report' };
  return jestOutcome(code, JSON.parse(text) as JestReport);
}

export interface JestReport {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  testResults: {
    name: string;
    status: string;
    startTime: number;
    endTime: number;
    assertionResults: readonly unknown[];
  }[];
}

/** Result of a tier from Jest's report. Skipped tests, files that could not run and a run without tests are failures. */
export function jestOutcome(code: number, report: JestReport): Outcome {
  const { numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped, testResults } = report;
  const broken = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  );
  const files = testResults.map(({ name, startTime, endTime }) => ({
    path: name.replace(`${REPOSITORY}/`, ''),
    seconds: (endTime - startTime) / 1000,
  }));
  const counts = { passed, failed: failed + broken.length, files };
  if (broken.length > 0) return { ...counts, problem: `${broken.length} file(s) could not run` };
  if (passed + failed === 0) return { ...counts, failed: 1, problem: 'no test ran' };
  if (skipped > 0) return { ...counts, failed: failed + skipped, problem: `${skipped} test(s) were skipped` };
  if (code !== 0 && failed === 0) return { ...counts, failed: 1, problem: `jest ended with ${code}` };
  return counts;
}

/** Resolves with the exit status and the standard output, except Jest's report. */
async function execute(
  command: string,
  args: readonly string[],
  { environment, signal, output, niceness }: ExecuteOptions,
): Promise<{ code: number; printed: string }> {
  const file = output === undefined ? null : createWriteStream(output);
  const child = spawn(command, args, {
    cwd: REPOSITORY,
    stdio: ['ignore', 'pipe', file ? 'pipe' : 'inherit'],
    env: childEnvironment(environment),
    signal,
  });
  if (niceness !== undefined) makeNice(child, niceness);
  let printed = '';
  // Jest prints its report on standard output and everything else on standard error.
  const isReport = args.includes('--json');
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    if (isReport) return;
    printed += text;
    (file ?? process.stdout).write(text);
  });
  if (file) child.stderr?.pipe(file, { end: false });
  const code = await new Promise<number>((resolve, reject) => {
    // An interrupted command is awaited, because its last writes must not race with the removal of the folder.
    child.once('error', (error) => error.name === 'AbortError' || reject(error));
    // Processes that the tests started may keep the output open.
    child.once('exit', () => signal.aborted && resolve(1));
    child.once('close', (status) => resolve(status ?? 1));
  });
  if (file) await new Promise<void>((resolve) => void file.end(resolve));
  return { code, printed };
}
