import { readSettings } from '#local/config.js';
import { eventually } from '@po/testing/eventually';
import { logsIn } from '#local/logs/log-files.js';
import type { Process } from '#local/processes/process.js';
import { Processes } from '#local/processes/processes.js';
import { allReady } from '#local/stack/readiness.js';
import { programOf } from '#local/stack/services.js';
import { type Stack, startStack } from '#local/stack/stack.js';
import { SERVICES, type ServiceName, type StackFile } from '#local/stack/stack-file.js';
import { composeStores } from '#local/stores/compose-stores.js';
import { type Stores, startInfrastructure } from '#local/stores/infrastructure.js';
import { UNLIMITED, temporaryFolder } from '../stack-process.js';
import type { Configuration } from './configurations.js';

const READY_MS = 90_000;

/** The addresses and process ids of the replicas that run. */
type Running = Pick<StackFile, 'gatewayUrls' | 'pids'>;

/** A stack of this process, whose replicas come and go while its stores stay. */
export class ReplicatedStack {
  private readonly suspended = new Set<Process>();

  private constructor(
    private readonly stack: Stack,
    private readonly processes: Processes,
  ) {}

  /**
   * Starts an own, empty stack with so many replicas of each service, in a temporary folder. `ready` rejects when it cannot be had;
   * `stop` is to be called in any case.
   */
  static start(replicas: number): { ready: Promise<ReplicatedStack>; stop: () => Promise<void> } {
    const { folder, remove } = temporaryFolder();
    const processes = new Processes(folder);
    let stores: Stores | undefined;
    let stack: Stack | undefined;
    const start = async () => {
      const { identity, ...settings } = readSettings();
      const step = <T>(_label: string, work: () => Promise<T>) => work();
      const infrastructure = { dir: folder, cache: folder, settings, docker: composeStores, fresh: false };
      stores = await startInfrastructure({ ...infrastructure, processes, step });
      const services = { replicas, port: null, identity, environment: UNLIMITED, logs: logsIn(folder) };
      stack = await startStack({ dir: folder, ...services, stores, processes, step });
      return new ReplicatedStack(stack, processes);
    };
    const stop = async () => {
      await stack?.stop();
      await processes.stop();
      await stores?.stop();
      remove();
    };
    return { ready: start(), stop };
  }

  file(): StackFile {
    return this.stack.file();
  }

  /** Ends and starts replicas until so many run, one of each other service; resolves when those are ready. */
  async resize({ gateways, orders }: Configuration): Promise<Running> {
    const wanted = { gateway: gateways, purchaseOrders: orders, notifications: 1, dashboard: 1 };
    await Promise.all(SERVICES.map((service) => this.keep(service, wanted[service])));
    const { gatewayUrls, managementUrls, pids } = this.stack.file();
    const first = <T>(of: Record<ServiceName, T[]>) =>
      SERVICES.map((service) => [service, of[service].slice(0, wanted[service])] as const);
    const urls = first(managementUrls).flatMap(([, each]) => each);
    await eventually('the replicas are ready', () => allReady(urls), { timeoutMs: READY_MS });
    return {
      gatewayUrls: gatewayUrls.slice(0, gateways),
      pids: { ...pids, ...(Object.fromEntries(first(pids)) as Record<ServiceName, number[]>) },
    };
  }

  /** Ends every process and starts it again with these settings, of this build; resolves when all are ready. */
  async restart(environment: Record<string, string>, build?: string): Promise<void> {
    const replicas = SERVICES.flatMap((service) =>
      this.processes.named(service).map((process) => ({ process, program: programOf(service, build) })),
    );
    await Promise.all(replicas.map(({ process }) => process.suspend('SIGTERM')));
    for (const { process, program } of replicas) process.resume(environment, program);
    const urls = Object.values(this.stack.file().managementUrls).flat();
    await eventually('the services are ready', () => allReady(urls), { timeoutMs: READY_MS });
  }

  private async keep(service: ServiceName, count: number): Promise<void> {
    const replicas = this.processes.named(service);
    for (const replica of replicas.slice(0, count)) {
      if (this.suspended.delete(replica)) replica.resume();
    }
    const surplus = replicas.slice(count).filter((replica) => !this.suspended.has(replica));
    await Promise.all(
      surplus.map((replica) => {
        this.suspended.add(replica);
        return replica.suspend('SIGTERM');
      }),
    );
  }
}
