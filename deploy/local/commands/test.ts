import { randomInt } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { faultsSeed } from '../config.js';
import { withSplitOptions } from '../option-values.js';
import { endAllLeftovers } from '../processes/leftovers.js';
import { INTERRUPTED, messageOf, runCommand, stopOnSignal } from './lifecycle.js';
import { type Choices, Environments } from './tests/environments.js';
import { slowestFiles, summary, tierLine } from './tests/report.js';
import { type TierResult, runTier } from './tests/run-tier.js';
import { ALL_OPS, NPM_TEST, TEST_ALL, TIERS, type Tier } from './tests/tiers.js';

interface Arguments extends Choices {
  /** Lanes run in parallel; the tiers of a lane run in sequence. */
  lanes: readonly (readonly Tier[])[];
  /** Further arguments for Jest. */
  args: string[];
}

const CHAOS_MINUTES = 10;
const USAGE =
  'the options are --tier with names of tiers, --seed, --all, --only, --previous, --minutes, parts of test file paths, and those of Jest';
const DAY_MINUTES = 24 * 60;

function readArguments(): Arguments {
  const args = withSplitOptions(process.argv.slice(2), ['--tier', '--seed', '--only', '--previous', '--minutes']);
  // Jest would show its own help, once for each tier.
  if (args.includes('--help')) throw new Error(USAGE);
  const take = (option: string, values: number): string[] | null => {
    const at = args.indexOf(option);
    return at < 0 ? null : args.splice(at, 1 + values).slice(1);
  };
  const lanes = take('--rest', 0) === null ? NPM_TEST : TEST_ALL;
  const named = take('--tier', 1)?.[0]?.split(',');
  if (args.includes('--tier')) throw new Error('--tier may be given once: separate the names of tiers by commas');
  const unknown = named?.find((name) => !(name in TIERS));
  if (unknown !== undefined) {
    throw new Error(
      `--tier takes one or more of ${Object.keys(TIERS).join(', ')} separated by commas, not "${unknown}"`,
    );
  }
  const seed = Number(take('--seed', 1)?.[0] ?? faultsSeed() ?? randomInt(1, 1_000_000));
  if (!Number.isSafeInteger(seed)) throw new Error('--seed and FAULTS_SEED take an integer');
  const all = take('--all', 0) !== null;
  const only = take('--only', 1)?.[0] ?? '';
  const previous = take('--previous', 1)?.[0] ?? '';
  const minutes = Number(take('--minutes', 1)?.[0] ?? CHAOS_MINUTES);
  if (!(minutes > 0 && minutes <= DAY_MINUTES)) throw new Error('--minutes takes a number above 0, at most one day');
  const tiers = all && named?.join() === 'ops' ? ALL_OPS : (named as Tier[] | undefined);
  return { lanes: tiers ? [tiers] : lanes, seed, all, only, previous, minutes, args };
}

async function main(): Promise<number> {
  const { lanes, args, ...choices } = readArguments();
  const dir = await mkdtemp(join(tmpdir(), 'po-test-'));
  // PostgreSQL may run as another user, which must be able to reach its data.
  await chmod(dir, 0o755);
  const interruption = new AbortController();
  const environments = new Environments(dir, choices, lanes.flat());
  let finishing: Promise<unknown> = Promise.resolve();
  stopOnSignal({
    status: INTERRUPTED,
    stop: async () => {
      interruption.abort();
      await environments.stop();
      await finishing;
      await endAllLeftovers(dir);
      await rm(dir, { recursive: true, force: true });
    },
    kill: () => environments.kill(),
  });

  const run = async (tier: Tier): Promise<TierResult> => {
    // Parallel lanes must not mix their output on the terminal, so each tier gets a file.
    const output = lanes.length > 1 ? join(dir, `${tier}.log`) : undefined;
    if (output === undefined) process.stdout.write(`\n${tier}\n`);
    const startedAt = performance.now();
    let result: TierResult;
    try {
      const environment = await environments.of(tier);
      result = await runTier(tier, { dir, environment, args, signal: interruption.signal, output });
    } catch (error) {
      const seconds = (performance.now() - startedAt) / 1000;
      result = { tier, passed: 0, failed: 1, seconds, problem: `could not start: ${messageOf(error)}` };
    }
    await environments.release(tier);
    if (output === undefined) return result;
    if (result.failed > 0) process.stdout.write(await failuresIn(output));
    process.stdout.write(tierLine(result));
    return result;
  };
  environments.prepare();
  const running = lanes.map(async (lane) => {
    const results: TierResult[] = [];
    for (const tier of lane) if (!interruption.signal.aborted) results.push(await run(tier));
    return results;
  });
  finishing = Promise.allSettled(running);
  await finishing;
  // The signal handler exits this process after the cleanup.
  if (interruption.signal.aborted) return new Promise(() => undefined);
  const results = (await Promise.all(running)).flat();
  const good = results.every(({ failed }) => failed === 0);
  if (good) await rm(dir, { recursive: true, force: true });
  else process.stdout.write(`\nlogs and data of this run: ${dir}\n`);
  process.stdout.write(slowestFiles(results) + summary(results));
  return good ? 0 : 1;
}

/** Output of a tier without the test files that passed. */
async function failuresIn(output: string): Promise<string> {
  const text = await readFile(output, 'utf8').catch(() => '');
  return text.replaceAll(/^PASS .*\n/gm, '');
}

await runCommand(main);
