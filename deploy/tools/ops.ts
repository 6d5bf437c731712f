import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCommand, stopOnSignal } from '#local/commands/lifecycle.js';
import { type TierResult, runTier, summary } from '#local/commands/tiers.js';
import { DEFAULT_DIR } from '#local/config.js';
import { step } from '#local/progress.js';
import { installTools } from './install.js';
import { MORE_TOOLS, TOOLS } from './tools.js';

/** Kept for all runs. */
const TOOLS_DIR = join(DEFAULT_DIR, 'tools');

/** `npm run test:ops`: what is deployed, as it is checked without a cluster; `-- --all` also on a real API server. */
async function main(): Promise<number> {
  const given = process.argv.slice(2);
  const all = given.includes('--all');
  const args = given.filter((argument) => argument !== '--all');
  const bin = await installTools(TOOLS_DIR, all ? { ...TOOLS, ...MORE_TOOLS } : TOOLS, step);
  const dir = await mkdtemp(join(tmpdir(), 'po-ops-'));
  const interruption = new AbortController();
  const clear = () => rm(dir, { recursive: true, force: true });
  stopOnSignal({
    stop: () => {
      interruption.abort();
      return clear();
    },
    kill: () => undefined,
  });
  const results: TierResult[] = [];
  for (const tier of all ? (['ops', 'api-server'] as const) : (['ops'] as const)) {
    process.stdout.write(`\n${tier}\n`);
    const environment = { OPS_BIN: bin, OPS_DIR: dir };
    results.push(await runTier(tier, { dir, environment, args, signal: interruption.signal }));
  }
  await clear();
  process.stdout.write(summary(results));
  return results.every(({ failed }) => failed === 0) ? 0 : 1;
}

await runCommand(main);
