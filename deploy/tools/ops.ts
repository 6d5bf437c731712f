import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { INTERRUPTED, runCommand, stopOnSignal } from '#local/commands/lifecycle.js';
import { summary } from '#local/commands/tests/report.js';
import { type TierResult, runTier } from '#local/commands/tests/run-tier.js';
import { DEFAULT_DIR, usesHostDockerEngine } from '#local/config.js';
import { withSplitOptions } from '#local/option-values.js';
import { endAllLeftovers } from '#local/processes/leftovers.js';
import { step } from '#local/progress.js';
import { installTools } from './install.js';
import { API_SERVER_TOOLS, DOCKER_TOOLS, KUBELET_TOOLS, TOOLS, type Tool } from './tools.js';

/** Shared by all runs. */
const TOOLS_DIR = join(DEFAULT_DIR, 'tools');

/** Tools of each tier. */
const TIERS = {
  ops: TOOLS,
  'api-server': { ...TOOLS, ...API_SERVER_TOOLS },
  docker: usesHostDockerEngine() ? {} : DOCKER_TOOLS,
  kubelet: KUBELET_TOOLS,
} satisfies Record<string, Record<string, Tool>>;
type OpsTier = keyof typeof TIERS;
const ALL = Object.keys(TIERS) as OpsTier[];

/** `--all`: every tier. `--tier docker`: this tier. Default: the tier without cluster or containers. Other arguments go to Jest. */
function readArguments(): { tiers: readonly OpsTier[]; args: string[] } {
  const args = withSplitOptions(process.argv.slice(2), ['--tier']);
  const at = args.indexOf('--tier');
  const [, named] = at < 0 ? [] : args.splice(at, 2);
  if (at >= 0) {
    const tiers = ALL.filter((tier) => tier === named);
    if (tiers.length === 0) throw new Error(`--tier takes one of ${ALL.join(', ')}`);
    return { tiers, args };
  }
  return { tiers: args.includes('--all') ? ALL : ['ops'], args: args.filter((argument) => argument !== '--all') };
}

/** `npm run test:ops`: runs the deployment tests. */
async function main(): Promise<number> {
  const { tiers, args } = readArguments();
  const tools = Object.assign({}, ...tiers.map((tier) => TIERS[tier])) as Record<string, Tool>;
  const bin = await installTools(TOOLS_DIR, tools, step);
  const dir = await mkdtemp(join(tmpdir(), 'po-ops-'));
  // PostgreSQL may run as another user, which must be able to reach its data.
  await chmod(dir, 0o755);
  const interruption = new AbortController();
  let finishing: Promise<unknown> = Promise.resolve();
  const clear = () => rm(dir, { recursive: true, force: true });
  stopOnSignal({
    status: INTERRUPTED,
    stop: async () => {
      interruption.abort();
      await finishing;
      await endAllLeftovers(dir);
      await clear();
    },
    kill: () => undefined,
  });
  const results: TierResult[] = [];
  for (const tier of tiers) {
    process.stdout.write(`\n${tier}\n`);
    const environment = { OPS_BIN: bin, OPS_DIR: dir, OPS_CACHE: DEFAULT_DIR };
    const running = runTier(tier, { dir, environment, args, signal: interruption.signal });
    finishing = running.catch(() => undefined);
    await finishing;
    // The signal handler exits this process after the cleanup.
    if (interruption.signal.aborted) return new Promise(() => undefined);
    results.push(await running);
  }
  await clear();
  process.stdout.write(summary(results));
  return results.every(({ failed }) => failed === 0) ? 0 : 1;
}

await runCommand(main);
