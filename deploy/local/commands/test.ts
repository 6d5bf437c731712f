import { randomInt } from 'node:crypto';
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DEFAULT_DIR, faultsSeed, readSettings, screenshotsFolder } from '../config.js';
import { containerStores } from '../stores/container-stores.js';
import { type Stores, startInfrastructure } from '../stores/infrastructure.js';
import { loadDemo } from '../demo/load-demo.js';
import { describe, runCommand, stopOnSignal } from './lifecycle.js';
import { endLeftovers } from '../processes/leftovers.js';
import { HOST, takePorts } from '../processes/ports.js';
import { Processes } from '../processes/processes.js';
import { step } from '../progress.js';
import { logsIn } from '../logs/log-files.js';
import { stackFileIn } from '../stack/stack-file.js';
import { createTopics, startStack } from '../stack/stack.js';
import { portalReport, readNotes } from './portal-report.js';
import { TIERS, type Tier, type TierOptions, type TierResult, runTier, summary } from './tiers.js';

/** Programs are fetched once for all runs. */
const CACHE = DEFAULT_DIR;
/** One user of the end-to-end tests does the work of many. */
const UNLIMITED = { RATE_LIMIT_READS_PER_MINUTE: '0', RATE_LIMIT_WRITES_PER_MINUTE: '0' };

interface Arguments {
  tiers: readonly Tier[];
  /** What the fault tier draws its choices from. */
  seed: number;
  /** Every fault instead of the short selection; every language of the examples instead of those that can run here. */
  all: boolean;
  /** A part of the names of the only faults to be tried. */
  only: string;
  /** The commit that the system is upgraded from; the one before if empty. */
  previous: string;
  /** For jest. */
  args: string[];
}

function readArguments(): Arguments {
  const args = process.argv.slice(2);
  const take = (option: string, values: number): string[] | null => {
    const at = args.indexOf(option);
    return at < 0 ? null : args.splice(at, 1 + values).slice(1);
  };
  const named = take('--tier', 1)?.[0];
  const tiers = named === undefined ? TIERS : TIERS.filter((known) => known === named);
  if (tiers.length === 0) throw new Error(`--tier takes one of ${TIERS.join(', ')}`);
  const seed = Number(take('--seed', 1)?.[0] ?? faultsSeed() ?? randomInt(1, 1_000_000));
  if (!Number.isSafeInteger(seed)) throw new Error('--seed and FAULTS_SEED take an integer');
  const all = take('--all', 0) !== null;
  const only = take('--only', 1)?.[0] ?? '';
  return { tiers, seed, all, only, previous: take('--previous', 1)?.[0] ?? '', args };
}

/** Stores of its own for one tier, in a folder of its own, stopped when the tier is over. */
async function withStores<T>(dir: string, run: (stores: Stores, processes: Processes) => Promise<T>): Promise<T> {
  const processes = new Processes(dir, { replaced: () => void refreshed() });
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

/** A tier that uses one running stack, which has the demo orders where people look at it. */
async function onStack(tier: 'e2e' | 'examples' | 'portal', options: TierOptions, all: boolean): Promise<TierResult> {
  const dir = join(options.dir, tier);
  return withStores(dir, async (stores, processes) => {
    // Where a collector listens while a test has one. Until then nothing is kept, and thus sent: no client but that test's asks for it.
    const { otlp } = await takePorts(dir, ['otlp']);
    const traces = {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://${HOST}:${otlp}`,
      OTEL_TRACES_SAMPLER: 'parentbased_always_off',
    };
    const identity = { jwksUrl: null, issuer: 'https://id.test.example', audience: 'purchase-orders' };
    const stack = await startStack({
      ...{ dir, port: null, replicas: 1, stores, identity, processes, step },
      environment: { ...UNLIMITED, ...(tier === 'e2e' ? traces : {}) },
      logs: logsIn(dir),
    });
    refreshed = stack.refresh;
    if (tier === 'portal') await step('load the demo orders', () => loadDemo(stack.file()));
    await stack.announce();
    const notes = join(dir, 'notes.ndjson');
    try {
      const environment = {
        PO_STACK_FILE: stackFileIn(dir),
        OTLP_PORT: String(otlp),
        ...{ PORTAL_SCREENSHOTS: screenshotsFolder(), PORTAL_NOTES: notes },
        ...{ EXAMPLES_CACHE: join(CACHE, 'examples'), EXAMPLES_ALL: all ? '1' : '' },
      };
      return await runTier(tier, { ...options, environment });
    } finally {
      process.stdout.write(portalReport(await readNotes(notes), screenshotsFolder()));
      await stack.stop();
    }
  });
}

/** The images' tests start stores without anything in them, and services of what they assembled. */
async function assembled(options: TierOptions): Promise<TierResult> {
  const dir = join(options.dir, 'assembled');
  await mkdir(dir);
  const environment = { IMAGES_DIR: dir, IMAGES_CACHE: CACHE };
  return runTier('assembled', { ...options, environment }).finally(() => endLeftovers(join(dir, 'world')));
}

/** Faults need the stack's processes in the hands of the tests, so jest starts it. */
async function withProcesses(
  tier: 'faults' | 'upgrade',
  options: TierOptions,
  { seed, all, only, previous }: Arguments,
): Promise<TierResult> {
  const dir = join(options.dir, tier);
  await mkdir(dir, { recursive: true });
  const environment = {
    ...{ FAULTS_DIR: dir, FAULTS_CACHE: CACHE, FAULTS_SEED: String(seed) },
    ...{ FAULTS_ALL: all ? '1' : '', FAULTS_ONLY: only, UPGRADE_PREVIOUS: previous },
  };
  return runTier(tier, { ...options, environment }).finally(() => endLeftovers(dir));
}

/** Likewise, with several brokers. */
async function cluster(options: TierOptions, { seed, all, only }: Arguments): Promise<TierResult> {
  const dir = join(options.dir, 'cluster');
  const system = join(dir, 'system');
  await mkdir(system, { recursive: true });
  const environment = {
    ...{ CLUSTER_DIR: dir, CLUSTER_CACHE: CACHE, CLUSTER_ALL: all ? '1' : '' },
    ...{ FAULTS_DIR: system, FAULTS_CACHE: CACHE, FAULTS_SEED: String(seed), FAULTS_ONLY: only },
  };
  return runTier('cluster', { ...options, environment }).finally(() => endLeftovers(system));
}

let running: Processes | null = null;
let refreshed: () => Promise<void> = () => Promise.resolve();
let finishing: Promise<unknown> = Promise.resolve();

async function main(): Promise<number> {
  const given = readArguments();
  const dir = await mkdtemp(join(tmpdir(), 'po-test-'));
  // PostgreSQL may run as another user than this one and must reach its data.
  await chmod(dir, 0o755);
  const interruption = new AbortController();
  stopOnSignal({
    stop: async () => {
      interruption.abort();
      await running?.stop();
      await finishing;
      await rm(dir, { recursive: true, force: true });
    },
    kill: () => running?.kill(),
  });

  const results: TierResult[] = [];
  for (const tier of given.tiers) {
    process.stdout.write(`\n${tier}\n`);
    const options: TierOptions = { dir, environment: {}, args: given.args, signal: interruption.signal };
    const run = () => {
      if (tier === 'integration') return integration(options);
      if (tier === 'e2e' || tier === 'examples' || tier === 'portal') return onStack(tier, options, given.all);
      if (tier === 'assembled') return assembled(options);
      if (tier === 'cluster') return cluster(options, given);
      if (tier === 'faults' || tier === 'upgrade') return withProcesses(tier, options, given);
      return runTier(tier, options);
    };
    const startedAt = performance.now();
    try {
      const result = run();
      finishing = result.catch(() => undefined);
      results.push(await result);
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
