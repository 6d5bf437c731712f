import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type KafkaPort, connectKafka } from '@po/messaging';
import { createLogger } from '@po/platform';
import { eventually } from '@po/testing/eventually';
import pg from 'pg';
import { readSettings } from '#local/config.js';
import { logsIn } from '#local/logs/log-files.js';
import type { Process } from '#local/processes/process.js';
import { Processes } from '#local/processes/processes.js';
import { requireNoLag } from '#local/stack/backlog.js';
import { demoToken } from '#local/stack/demo-token.js';
import { loadKeys } from '#local/stack/keys.js';
import { allReady } from '#local/stack/readiness.js';
import { programOf } from '#local/stack/services.js';
import { SERVICES, type ServiceName, type StackFile } from '#local/stack/stack-file.js';
import { type Stack, startStack } from '#local/stack/stack.js';
import { composeStores } from '#local/stores/compose-stores.js';
import { type Stores, startInfrastructure } from '#local/stores/infrastructure.js';
import { progress, stopInTheEnd } from './lifetime.js';

/** Services that are measured refuse no user, and log no request. */
const UNLIMITED = {
  LOG_LEVEL: 'warn',
  RATE_LIMIT_READS_PER_MINUTE: '0',
  RATE_LIMIT_WRITES_PER_MINUTE: '0',
  EXPORTS_PER_MINUTE: '0',
};
const READY_MS = 90_000;
/** The work that 100,000 imported orders cause takes minutes. */
const SETTLED_MS = 15 * 60_000;

/** How many replicas run of each of the two services that a request for an order passes. */
export interface ReplicaCounts {
  gateways: number;
  orders: number;
}

interface Opening {
  /** Of each service. */
  replicas?: number;
  /** Puts data into the stack's folder before it starts. */
  fill?: (folder: string) => Promise<void>;
}

/** A stack in a temporary folder. Its stores and orders stay while its services come and go. */
export class BenchStack {
  private readonly suspended = new Set<Process>();

  private constructor(
    readonly folder: string,
    private readonly stack: Stack,
    private readonly processes: Processes,
    readonly kafka: KafkaPort,
    /** Of the purchase-orders database, as a role that sees every row. */
    readonly orders: pg.Pool,
    /** Likewise of the notifications database. */
    readonly notifications: pg.Pool,
    /** Stops it and leaves its folder. */
    readonly end: () => Promise<void>,
  ) {}

  /** Starts a stack that lives until the benchmark ends, if `end` is not called before. */
  static async start({ replicas = 1, fill }: Opening = {}): Promise<BenchStack> {
    progress('start the stack');
    const folder = mkdtempSync(join(tmpdir(), 'po-bench-'));
    stopInTheEnd(() =>
      Promise.resolve(rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })),
    );
    // PostgreSQL may run as another user and must reach its data.
    chmodSync(folder, 0o755);
    await fill?.(folder);
    const processes = new Processes(folder);
    let stores: Stores | undefined;
    let stack: Stack | undefined;
    let pools: pg.Pool[] = [];
    let ending: Promise<void> | null = null;
    const end = () =>
      (ending ??= (async () => {
        await Promise.all(pools.map((pool) => pool.end()));
        await stack?.stop();
        await processes.stop();
        await stores?.stop();
      })());
    stopInTheEnd(end);
    const { identity, ...settings } = readSettings();
    const step = <T>(_label: string, work: () => Promise<T>) => work();
    const infrastructure = { dir: folder, cache: folder, settings, docker: composeStores, fresh: false };
    stores = await startInfrastructure({ ...infrastructure, processes, step });
    const services = { replicas, port: null, identity, environment: UNLIMITED, logs: logsIn(folder) };
    stack = await startStack({ dir: folder, ...services, stores, processes, step });
    const { kafkaBrokers, databaseUrls } = stack.file();
    const kafka = connectKafka({ KAFKA_BROKERS: kafkaBrokers.split(',') }, 'bench', createLogger('bench', 'warn'));
    const orders = new pg.Pool({ connectionString: databaseUrls.purchaseOrders, max: 1 });
    const notifications = new pg.Pool({ connectionString: databaseUrls.notifications, max: 1 });
    pools = [orders, notifications];
    return new BenchStack(folder, stack, processes, kafka, orders, notifications, end);
  }

  get file(): StackFile {
    return this.stack.file();
  }

  /** The gateway's address without a path. */
  get url(): string {
    return this.file.gatewayUrl;
  }

  /** Resolves when both outboxes are empty and no consumer group has records left. */
  async settled(): Promise<void> {
    const admin = await this.kafka.admin();
    const requireNothingLeft = async () => {
      // In the order in which work flows: the second look sees what the first work caused.
      for (const pool of [this.orders, this.notifications]) {
        const { rowCount } = await pool.query('SELECT FROM outbox LIMIT 1');
        if (rowCount !== 0) throw new Error('rows are in an outbox');
        await requireNoLag(admin);
      }
      return true;
    };
    const label = 'outboxes are empty and no consumer lags';
    await eventually(label, requireNothingLeft, { timeoutMs: SETTLED_MS }).finally(() => admin.close());
  }

  /** A token of the demo user with other claims. */
  async token(as: 'buyer' | 'vendor:ACME', claims: Record<string, unknown>): Promise<string> {
    const { issuer, audience } = this.file;
    const { identity: key } = await loadKeys(this.folder);
    return demoToken({ key, issuer, audience }, as, claims);
  }

  vendorToken(vendor_code: string, sub = `bench-${vendor_code}`): Promise<string> {
    return this.token('vendor:ACME', { sub, email: `${sub}@vendor.example`, name: sub, vendor_code });
  }

  /** Stops and starts replicas until so many run, one of each other service; resolves when those are ready. */
  async resize({ gateways, orders }: ReplicaCounts): Promise<Pick<StackFile, 'gatewayUrls' | 'pids'>> {
    const wanted = { gateway: gateways, purchaseOrders: orders, notifications: 1, dashboard: 1, mail: 1 };
    await Promise.all(SERVICES.map((service) => this.keep(service, wanted[service])));
    const { gatewayUrls, managementUrls, pids } = this.file;
    const first = <T>(of: Record<ServiceName, T[]>) =>
      SERVICES.map((service) => [service, of[service].slice(0, wanted[service])] as const);
    await this.ready(first(managementUrls).flatMap(([, each]) => each));
    const running = Object.fromEntries(first(pids)) as Record<ServiceName, number[]>;
    return { gatewayUrls: gatewayUrls.slice(0, gateways), pids: { ...pids, ...running } };
  }

  /** Restarts every service with these settings and of this build; resolves when all are ready. */
  async restart(environment: Record<string, string>, build?: string): Promise<void> {
    const replicas = SERVICES.flatMap((service) =>
      this.processes.named(service).map((process) => ({ process, program: programOf(service, build) })),
    );
    await Promise.all(replicas.map(({ process }) => process.suspend('SIGTERM')));
    for (const { process, program } of replicas) process.resume(environment, program);
    await this.ready(Object.values(this.file.managementUrls).flat());
  }

  private async ready(managementUrls: string[]): Promise<void> {
    await eventually('the services are ready', () => allReady(managementUrls), { timeoutMs: READY_MS });
  }

  private async keep(service: ServiceName, count: number): Promise<void> {
    const replicas = this.processes.named(service);
    for (const replica of replicas.slice(0, count)) if (this.suspended.delete(replica)) replica.resume();
    const surplus = replicas.slice(count).filter((replica) => !this.suspended.has(replica));
    for (const replica of surplus) this.suspended.add(replica);
    await Promise.all(surplus.map((replica) => replica.suspend('SIGTERM')));
  }
}
