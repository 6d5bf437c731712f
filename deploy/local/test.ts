import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSettings } from './config.js';
import { containerStores } from './container-stores.js';
import { type Stores, startInfrastructure } from './infrastructure.js';
import { describe, runCommand, stopOnSignal } from './lifecycle.js';
import { Processes } from './processes.js';
import { step } from './progress.js';
import { REPOSITORY } from './repository.js';
import { stackFileIn } from './stack-file.js';
import { createTopics, startStack } from './stack.js';
import { TIERS, type Tier, type TierOptions, type TierResult, runTier, summary } from './tiers.js';

/** Programs are fetched once for all runs. */
const CACHE = join(REPOSITORY, '.local');
/** One user of the end-to-end tests does the work of many. */
const UNLIMITED = { RATE_LIMIT_READS_PER_MINUTE: '0', RATE_LIMIT_WRITES_PER_MINUTE: '0' };

function readArguments(): { tiers: readonly Tier[]; args: string[] } {
  const args = process.argv.slice(2);
  const at = args.indexOf('--tier');
  if (at < 0) return { tiers: TIERS, args };
  const [, name] = args.splice(at, 2);
  const tier = TIERS.find((known) => known === name);
  if (!tier) throw new Error(`--tier takes one of ${TIERS.join(', ')}`);
  return { tiers: [tier], args };
}

/** Stores of its own for one tier, in a folder of its own, stopped when the tier is over. */
async function withStores<T>(dir: string, run: (stores: Stores, processes: Processes) => Promise<T>): Promise<T> {
  const processes = new Processes(dir, () => void refreshed());
  let stopStores = () => Promise.resolve();
  running = processes;
  try {
    const settings = readSettings();
    const stores = await startInfrastructure({
      ...{ dir, cache: CACHE, settings, processes, step },
      docker: containerStores,
      fresh: false,
    });
    stopStores = stores.stop;
    return await run(stores, processes);
  } finally {
    await processes.stop();
    await stopStores();
  }
}

async function integration(options: TierOptions): Promise<TierResult> {
  return withStores(join(options.dir, 'integration'), async ({ kafkaBrokers, databaseUrl, redisUrl }) => {
    await step('create topics', () => createTopics(kafkaBrokers));
    const environment = { KAFKA_BROKERS: kafkaBrokers, DATABASE_URL: databaseUrl, REDIS_URL: redisUrl };
    return runTier('integration', { ...options, environment });
  });
}

async function endToEnd(options: TierOptions): Promise<TierResult> {
  const dir = join(options.dir, 'e2e');
  return withStores(dir, async (stores, processes) => {
    const identity = { jwksUrl: null, issuer: 'https://id.test.example', audience: 'purchase-orders' };
    const stack = await startStack({
      ...{ dir, port: null, replicas: 1, stores, identity, processes, step },
      environment: UNLIMITED,
      logs: join(dir, 'logs'),
    });
    refreshed = stack.refresh;
    await stack.announce();
    try {
      return await runTier('e2e', { ...options, environment: { PO_STACK_FILE: stackFileIn(dir) } });
    } finally {
      await stack.stop();
    }
  });
}

let running: Processes | null = null;
let refreshed: () => Promise<void> = () => Promise.resolve();

async function main(): Promise<number> {
  const { tiers, args } = readArguments();
  const dir = await mkdtemp(join(tmpdir(), 'po-test-'));
  // PostgreSQL may run as another user than this one and must reach its data.
  await chmod(dir, 0o755);
  const interruption = new AbortController();
  stopOnSignal({
    stop: async () => {
      interruption.abort();
      await running?.stop();
      await rm(dir, { recursive: true, force: true });
    },
    kill: () => running?.kill(),
  });

  const results: TierResult[] = [];
  for (const tier of tiers) {
    process.stdout.write(`\n${tier}\n`);
    const options: TierOptions = { dir, environment: {}, args, signal: interruption.signal };
    const run = tier === 'integration' ? integration : tier === 'e2e' ? endToEnd : runTier.bind(null, tier);
    const startedAt = performance.now();
    try {
      results.push(await run(options));
    } catch (error) {
      if (interruption.signal.aborted) return new Promise(() => undefined);
      process.stderr.write(`${describe(error)}\n`);
      const seconds = (performance.now() - startedAt) / 1000;
      results.push({ tier, passed: 0, failed: 1, seconds, problem: 'could not start' });
    }
  }
  const good = results.every(({ failed }) => failed === 0);
  if (good) await rm(dir, { recursive: true, force: true });
  else process.stdout.write(`\nlogs and data of this run: ${dir}\n`);
  process.stdout.write(summary(results));
  return good ? 0 : 1;
}

await runCommand(main);
