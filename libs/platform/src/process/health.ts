import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { VERSION } from '../configuration/config.js';
import { Gauge } from 'prom-client';
import type { Logger } from '../logger.js';
import { metricsRegistry } from './telemetry.js';

/** Returns true, or the reason for the failure as text. */
type Probe = () => true | string;

/**
 * Health of this process. Liveness covers this process only, because a dead database must not restart pods. Readiness reports whether
 * the process can take work, with reasons.
 */
export class Health {
  private readonly readiness = new Map<string, Probe>();
  private readonly liveness = new Map<string, Probe>();
  private readonly stopping = new AbortController();

  addReadiness(name: string, probe: Probe): void {
    this.readiness.set(name, probe);
  }

  addLiveness(name: string, probe: Probe): void {
    this.liveness.set(name, probe);
  }

  startDraining(): void {
    this.stopping.abort();
  }

  get isDraining(): boolean {
    return this.draining.aborted;
  }

  /** Aborted when draining starts. */
  get draining(): AbortSignal {
    return this.stopping.signal;
  }

  /** Readiness checks by name, and whether each passes. */
  checks(): [name: string, passes: boolean][] {
    return Array.from(this.readiness, ([name, probe]) => [name, probe() === true]);
  }

  /** Reasons not to send work to this process; empty if ready. */
  notReady(): string[] {
    return [...(this.isDraining ? ['draining: the process was told to stop'] : []), ...failures(this.readiness)];
  }

  /** Reasons to restart this process; empty if alive. */
  notAlive(): string[] {
    return failures(this.liveness);
  }
}

function failures(probes: Map<string, Probe>): string[] {
  return [...probes].flatMap(([name, probe]) => {
    const outcome = probe();
    return outcome === true ? [] : [`${name}: ${outcome}`];
  });
}

/** Registers the metric `app_readiness`. Call it once per process. */
export function reportReadiness(health: Health): void {
  new Gauge({
    name: 'app_readiness',
    help: '1 while a check of /readyz passes, else 0',
    labelNames: ['check'],
    collect() {
      this.reset();
      for (const [check, passes] of health.checks()) this.set({ check }, passes ? 1 : 0);
    },
  });
}

interface ManagementOptions {
  service: string;
  host: string;
  port: number;
  health: Health;
  logger: Logger;
}

/** Starts the management port. If the port is in use, rejects with an error that names the port and its variable. */
export async function startManagement(
  options: ManagementOptions,
): Promise<{ port: number; close: () => Promise<void> }> {
  const server = createServer((request, response) => {
    const answer = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(body));
    };
    const report = (reasons: string[], good: string) =>
      answer(reasons.length === 0 ? 200 : 503, { status: reasons.length === 0 ? good : `not ${good}`, reasons });
    switch ((request.url ?? '').split('?')[0] ?? '') {
      case '/healthz':
        return report(options.health.notAlive(), 'alive');
      case '/readyz':
        return report(options.health.notReady(), 'ready');
      case '/version':
        return answer(200, { service: options.service, version: VERSION, node: process.version });
      case '/metrics':
        return void metricsRegistry.metrics().then(
          (text) => response.writeHead(200, { 'content-type': metricsRegistry.contentType }).end(text),
          (error: unknown) => {
            options.logger.error({ err: error }, 'metrics could not be collected');
            answer(500, { status: 'metrics could not be collected' });
          },
        );
      default:
        return answer(404, { status: 'not found', allowed: ['/healthz', '/readyz', '/metrics', '/version'] });
    }
  });
  await listen(server, options.port, options.host);
  return {
    port: (server.address() as AddressInfo).port,
    close: () => new Promise((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'EADDRINUSE'
          ? new Error(`port ${port} on ${host} is in use; set MANAGEMENT_PORT to another one`)
          : error,
      );
    });
    server.listen(port, host, resolve);
  });
}
