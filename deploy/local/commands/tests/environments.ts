import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DEFAULT_DIR, readSettings, screenshotsFolder, usesHostDockerEngine } from '../../config.js';
import { loadDemo } from '../../demo/load-demo.js';
import { logsIn } from '../../logs/log-files.js';
import { endAllLeftovers } from '../../processes/leftovers.js';
import { HOST, reservePorts } from '../../processes/ports.js';
import { Processes } from '../../processes/processes.js';
import { step } from '../../progress.js';
import { stackFileIn } from '../../stack/stack-file.js';
import { createTopics, startStack } from '../../stack/stack.js';
import { testSettings } from '../../stack/test-settings.js';
import { containerStores } from '../../stores/container-stores.js';
import { dropDatabasesOf } from '@po/testing/service-databases';
import { type Stores, startInfrastructure } from '../../stores/infrastructure.js';
import { installTools } from '../../tools/install.js';
import { API_SERVER_TOOLS, DOCKER_TOOLS, KUBELET_TOOLS, TOOLS, type Tool } from '../../tools/tools.js';
import { type JestTier, TIERS, type Tier } from './tiers.js';

/** Shared cache, so that programs are downloaded once for all runs. */
const CACHE = DEFAULT_DIR;
const TOOLS_OF: Partial<Record<Tier, Record<string, Tool>>> = {
  ops: TOOLS,
  'api-server': { ...TOOLS, ...API_SERVER_TOOLS },
  docker: usesHostDockerEngine() ? {} : DOCKER_TOOLS,
  kubelet: KUBELET_TOOLS,
};
/** The single fault that `npm test` injects: a crash between the commit of a change and its publication. */
const FIRST_FAULT = 'when rows of the outbox are about to be sent';

/** Command-line options. */
export interface Choices {
  /** Seed of the random choices of the fault tiers. */
  seed: number;
  /** Runs all of a tier instead of a short selection; with `ops`, also the tiers that need a cluster or containers. */
  all: boolean;
  /** Runs only faults whose names contain this text. */
  only: string;
  /** Commit to upgrade from; the previous one if empty. */
  previous: string;
  /** Duration of the chaos tests. */
  minutes: number;
}

/** A test environment with the variables that describe it. */
interface Environment {
  variables: Record<string, string>;
  close: () => Promise<void>;
}

type Need = 'stores' | 'stack' | Tier;

/** Test environments of the tiers: started on first use, shared by tiers with the same needs, and closed after the last of them. */
export class Environments {
  private readonly opened = new Map<Need, Promise<Environment>>();
  private readonly processes = new Set<Processes>();
  private readonly installation = new AbortController();
  private starting: Promise<unknown> = Promise.resolve();

  constructor(
    /** Folder of this run. */
    private readonly dir: string,
    private readonly choices: Choices,
    private waiting: readonly Tier[],
  ) {}

  /** Starts the stack and the stores in advance if tiers of this run need them. */
  prepare(): void {
    for (const need of ['stack', 'stores'] as const) {
      // The tier that needs the environment reports a failure.
      if (this.waiting.some((tier) => needOf(tier) === need)) this.open(need).catch(() => undefined);
    }
  }

  /** Environment variables for the tests of a tier. Rejects if the environment cannot be started. */
  async of(tier: Tier): Promise<Record<string, string>> {
    const need = needOf(tier);
    return need === null ? {} : (await this.open(need)).variables;
  }

  /** Marks a tier as finished, whatever its result. Closes its environment if no other tier needs it. */
  async release(tier: Tier): Promise<void> {
    this.waiting = this.waiting.filter((other) => other !== tier);
    const need = needOf(tier);
    if (need === null || this.waiting.some((other) => needOf(other) === need)) return;
    const environment = this.opened.get(need);
    this.opened.delete(need);
    await environment?.then(
      ({ close }) => close(),
      () => undefined,
    );
  }

  /** Stops all processes of all environments, in order. Nothing can start afterwards. */
  async stop(): Promise<void> {
    this.installation.abort();
    await Promise.all([...this.processes].map((processes) => processes.stop()));
  }

  kill(): void {
    this.installation.abort();
    for (const processes of this.processes) processes.kill();
  }

  private open(need: Need): Promise<Environment> {
    const opening = this.opened.get(need) ?? this.start(need);
    this.opened.set(need, opening);
    return opening;
  }

  private start(need: Need): Promise<Environment> {
    if (need === 'stores') return this.stores();
    if (need === 'stack' || needsOf(need) === 'own-stack') return this.stack(need);
    return needsOf(need) === 'tools' ? this.tools(need) : this.folder(need);
  }

  private async stores(): Promise<Environment> {
    const { stores, stop } = await this.startStores(join(this.dir, 'stores'), new Processes(join(this.dir, 'stores')));
    const { kafkaBrokers, databaseUrl, redisUrl } = stores;
    // Prefix of the template databases that tests copy.
    const run = `test_${randomUUID().slice(0, 8)}`;
    await orStop(
      stop,
      step('create topics', () => createTopics(kafkaBrokers)),
    );
    return {
      variables: { KAFKA_BROKERS: kafkaBrokers, DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, TEST_RUN: run },
      close: async () => {
        await dropDatabasesOf(databaseUrl, run);
        await stop();
      },
    };
  }

  /** Starts the whole system with the demo orders. */
  private async stack(name: string): Promise<Environment> {
    const dir = join(this.dir, name);
    let refresh = (): void => undefined;
    const processes = new Processes(dir, { replaced: () => refresh() });
    const { stores, stop } = await this.startStores(dir, processes);
    // Port for a trace collector of a test. Without such a test nothing is sampled or sent, because only its clients send sampled headers.
    const { otlp } = await reservePorts(dir, ['otlp']);
    const traces = {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://${HOST}:${otlp}`,
      OTEL_TRACES_SAMPLER: 'parentbased_always_off',
    };
    const starting = startStack({
      dir,
      port: null,
      replicas: 1,
      stores,
      processes,
      step,
      logs: logsIn(dir),
      identity: { jwksUrl: null, issuer: 'https://id.test.example', audience: 'purchase-orders' },
      environment: { ...testSettings(), ...traces },
    });
    const stack = await orStop(stop, starting);
    refresh = stack.refresh;
    const loading = step('load the demo orders', () => loadDemo(stack.file()));
    await orStop(stop, loading.then(stack.announce));
    return {
      variables: {
        PO_STACK_FILE: stackFileIn(dir),
        OTLP_PORT: String(otlp),
        SCREENSHOTS: screenshotsFolder(),
        EXAMPLES_CACHE: join(CACHE, 'examples'),
        EXAMPLES_ALL: this.choices.all ? '1' : '',
      },
      close: async () => {
        await stack.stop();
        await stop();
        await endAllLeftovers(dir);
      },
    };
  }

  /** Creates a folder for tests that start their own processes. `close` ends processes left by killed tests. */
  private async folder(tier: Tier): Promise<Environment> {
    const { seed, all, only, previous, minutes } = this.choices;
    const dir = join(this.dir, tier);
    const system = tier === 'cluster' ? join(dir, 'system') : dir;
    await mkdir(system, { recursive: true });
    return {
      variables: {
        FAULTS_DIR: system,
        FAULTS_CACHE: CACHE,
        FAULTS_SEED: String(seed),
        FAULTS_ALL: all ? '1' : '',
        FAULTS_ONLY: tier === 'fault' ? FIRST_FAULT : only,
        CLUSTER_DIR: dir,
        CLUSTER_ALL: all ? '1' : '',
        UPGRADE_PREVIOUS: previous,
        CHAOS_MINUTES: String(minutes),
        FAULTS_REPLICAS: tier === 'fault' ? '1' : '2',
        // This fault does not affect stores, so any kind of stores will do.
        FAULTS_STORES: tier === 'fault' ? 'any' : '',
      },
      close: () => endAllLeftovers(dir),
    };
  }

  /** Installs the tools of a tier, and creates a folder for its tests. */
  private async tools(tier: Tier): Promise<Environment> {
    const dir = join(this.dir, tier);
    await mkdir(dir, { recursive: true });
    const bin = await installTools(join(CACHE, 'tools'), TOOLS_OF[tier] ?? {}, step, this.installation.signal);
    const variables = { OPS_BIN: bin, OPS_DIR: dir, OPS_CACHE: CACHE };
    return { variables, close: () => endAllLeftovers(dir) };
  }

  private async startStores(dir: string, processes: Processes): Promise<{ stores: Stores; stop: () => Promise<void> }> {
    this.processes.add(processes);
    const start = () =>
      startInfrastructure({
        dir,
        cache: CACHE,
        settings: readSettings(),
        processes,
        step,
        docker: containerStores,
        fresh: false,
        isShortLived: true,
      });
    // In sequence, because the first start downloads the programs into a shared folder.
    const starting = this.starting.then(start, start);
    this.starting = starting;
    const stores = await starting;
    const stop = async () => {
      await processes.stop();
      this.processes.delete(processes);
    };
    return { stores, stop };
  }
}

/** Stops the started part of an environment if the rest fails. */
async function orStop<T>(stop: () => Promise<void>, work: Promise<T>): Promise<T> {
  return work.catch(async (error: unknown) => {
    await stop();
    throw error;
  });
}

/** Key of the environment of a tier: its own name if it is not shared; null if it needs none. */
function needOf(tier: Tier): Need | null {
  const needs = needsOf(tier);
  if (needs === 'nothing') return null;
  return needs === 'stores' || needs === 'stack' ? needs : tier;
}

function needsOf(tier: Tier): JestTier['needs'] {
  const definition = TIERS[tier];
  return definition.kind === 'jest' ? definition.needs : 'nothing';
}
