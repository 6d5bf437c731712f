import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GROUPS, type Group } from '@po/contracts';
import { type KafkaPort, connectKafka } from '@po/messaging';
import { createLogger } from '@po/platform';
import { eventually } from '@po/testing/eventually';
import pg from 'pg';
import { DEFAULT_DIR, readSettings } from '#local/config.js';
import { logsIn } from '#local/logs/log-files.js';
import { Processes } from '#local/processes/processes.js';
import { requireNoLag } from '#local/stack/backlog.js';
import { demoToken } from '#local/stack/demo-token.js';
import { loadKeys } from '#local/stack/keys.js';
import { allReady } from '#local/stack/readiness.js';
import { SERVICES, type ServiceName, type StackFile } from '#local/stack/stack-file.js';
import { type Stack, startStack } from '#local/stack/stack.js';
import { testSettings } from '#local/stack/test-settings.js';
import { temporaryComposeStores } from '#local/stores/compose-stores.js';
import { startInfrastructure } from '#local/stores/infrastructure.js';
import { progress, stopAtEnd } from './lifetime.js';
import type { Pids } from './usage.js';

/** Measured services do not log requests. */
const SETTINGS = { ...testSettings(), LOG_LEVEL: 'warn' };
const READY_MS = 90_000;
/** The work caused by 100,000 imported orders takes minutes. */
const SETTLED_MS = 15 * 60_000;

function poolOf(connectionString: string): pg.Pool {
  const pool = new pg.Pool({ connectionString, max: 1 });
  stopAtEnd(() => pool.end());
  return pool;
}

/** A stack in a temporary folder. Its stores and orders stay while services start and stop. */
export class BenchStack {
  private constructor(
    readonly folder: string,
    private readonly stack: Stack,
    private readonly processes: Processes,
    readonly kafka: KafkaPort,
    /** Connection to the purchase-orders database as a role that sees every row. */
    readonly orders: pg.Pool,
    /** The same for the notifications database. */
    readonly notifications: pg.Pool,
    /** The same for the mail database. */
    readonly mails: pg.Pool,
  ) {}

  /** Starts a stack with this many replicas of each service. It lives until the benchmark ends. */
  static async start(replicas = 1): Promise<BenchStack> {
    progress('start the stack');
    const folder = mkdtempSync(join(tmpdir(), 'po-bench-'));
    stopAtEnd(async () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }));
    // PostgreSQL may run as another user, which must reach its data.
    chmodSync(folder, 0o755);
    const processes = new Processes(folder);
    let stack: Stack | undefined;
    stopAtEnd(async () => {
      await stack?.stop();
      await processes.stop();
    });
    const { identity, ...settings } = readSettings();
    const step = <T>(_label: string, work: () => Promise<T>) => work();
    const infrastructure = { dir: folder, cache: DEFAULT_DIR, settings, docker: temporaryComposeStores, fresh: false };
    const stores = await startInfrastructure({ ...infrastructure, processes, step });
    const services = { replicas, port: null, identity, environment: SETTINGS, logs: logsIn(folder) };
    stack = await startStack({ dir: folder, ...services, stores, processes, step });
    const { kafkaBrokers, databaseUrls } = stack.file();
    const kafka = connectKafka({ KAFKA_BROKERS: kafkaBrokers.split(',') }, 'bench', createLogger('bench', 'warn'));
    const orders = poolOf(databaseUrls.purchaseOrders);
    const notifications = poolOf(databaseUrls.notifications);
    const mails = poolOf(databaseUrls.mail);
    return new BenchStack(folder, stack, processes, kafka, orders, notifications, mails);
  }

  get file(): StackFile {
    return this.stack.file();
  }

  /** Base URL of the gateway, without a path. */
  get url(): string {
    return this.file.gatewayUrl;
  }

  /** Processes of the stores, and of the services that handle the effects of a transition. */
  get others(): { stores: Pids; fanOut: Pids } {
    const { kafka, postgres, notifications, dashboard, redis } = this.file.pids;
    return { stores: { kafka, postgres }, fanOut: { 'fan-out': [...notifications, ...dashboard, redis] } };
  }

  /** Resolves when both outboxes are empty and these consumer groups have no lag. */
  async settled(groups: readonly Group[] = Object.values(GROUPS)): Promise<void> {
    const admin = await this.kafka.admin();
    const requireNothingLeft = async () => {
      // Checked in the order of the data flow: the second check sees the effects of the first stage.
      for (const pool of [this.orders, this.notifications]) {
        const { rowCount } = await pool.query('SELECT FROM outbox LIMIT 1');
        if (rowCount !== 0) throw new Error('rows are in an outbox');
        await requireNoLag(admin, '', groups);
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

  /** Scales gateways and order services to these numbers, and every other service to one. Resolves when they are ready. */
  async resize(gateways: number, orders: number): Promise<void> {
    const counts = { gateway: gateways, purchaseOrders: orders, notifications: 1, dashboard: 1, mail: 1 };
    await Promise.all(SERVICES.map((service) => this.run(service, counts[service])));
  }

  /** Scales a service to this number of replicas. Resolves when new ones are ready. */
  async run(service: ServiceName, count: number): Promise<void> {
    const replicas = this.processes.named(service);
    for (const replica of replicas.slice(0, count)) replica.resume();
    await Promise.all(replicas.slice(count).map((replica) => replica.suspend('SIGTERM')));
    await this.ready(this.file.managementUrls[service].slice(0, count));
  }

  /** Restarts every service with these settings. Resolves when all are ready. */
  async restart(environment: Record<string, string>): Promise<void> {
    const replicas = SERVICES.flatMap((service) => this.processes.named(service));
    await Promise.all(replicas.map((replica) => replica.suspend('SIGTERM')));
    for (const replica of replicas) replica.resume(environment);
    await this.ready(Object.values(this.file.managementUrls).flat());
  }

  private async ready(managementUrls: string[]): Promise<void> {
    await eventually('the services are ready', () => allReady(managementUrls), { timeoutMs: READY_MS });
  }
}
