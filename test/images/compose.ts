import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { DEMO_USERS, type DemoUserName } from '../../deploy/local/demo/users.js';
import { HOST, reservePorts } from '../../deploy/local/processes/ports.js';
import { runDir } from '../../deploy/tools/fixtures/ops-tools.js';
import { cleanCopy } from './clean-copy.js';
import type { Docker } from './engine.js';

/** Jobs in the compose file and in the chart. */
export const JOBS = ['migrate-mail', 'migrate-notifications', 'migrate-purchase-orders', 'topics'];
/** Purchase order of the tests. */
export const ORDER = {
  poNumber: 'PO-DOCKER-1',
  sourceRevision: 1,
  poDate: '2026-01-05',
  xfd: '2027-03-01',
  currency: 'USD',
  vendor: { code: 'ACME', name: 'Acme Apparel Ltd.' },
  lines: [{ lineId: '1', code: 'TS-100-NVY', style: 'TS-100', color: 'NVY', size: 'M', qty: 20, unitPrice: 12.5 }],
};

interface Listed {
  Service: string;
  ID: string;
  State: string;
  Health: string;
  ExitCode: number;
}

/** `docker compose` in a clean copy of the repository, on free ports. */
export class Compose {
  private constructor(
    private readonly docker: Docker,
    private readonly dir: string,
    private readonly ports: Record<string, number>,
  ) {}

  static async open(docker: Docker): Promise<Compose> {
    const dir = await cleanCopy(join(runDir(), 'copy'));
    const ports = await reservePorts(join(runDir(), 'ports'), [
      'http',
      'kafka',
      'postgres',
      'redis',
      'mailpit',
      'identity',
    ]);
    return new Compose(docker, dir, ports);
  }

  get kafkaBrokers(): string {
    return `${HOST}:${this.ports['kafka']}`;
  }
  get gatewayUrl(): string {
    return this.url('http');
  }
  get mailUrl(): string {
    return this.url('mailpit');
  }
  get providerUrl(): string {
    return this.url('identity');
  }

  /** Returns the standard output of a command. `changes` extends its environment. */
  run(args: readonly string[], changes: Record<string, string> = {}): Promise<string> {
    const { http, kafka, postgres, redis, mailpit, identity } = this.ports;
    const env = {
      PORT: String(http),
      KAFKA_PORT: String(kafka),
      POSTGRES_PORT: String(postgres),
      REDIS_PORT: String(redis),
      MAILPIT_PORT: String(mailpit),
      IDENTITY_PORT: String(identity),
      PORTAL_OIDC_AUTHORITY: this.providerUrl,
      // Not the default project name, which another instance on this machine may use.
      COMPOSE_PROJECT_NAME: 'po-test',
      ...changes,
    };
    return this.docker.run(['compose', ...args], { env, cwd: this.dir });
  }

  /** All containers by service, including exited ones. */
  async containers(): Promise<Map<string, Listed>> {
    const lines = (await this.run(['ps', '--all', '--format', 'json'])).split('\n').filter(Boolean);
    return new Map(lines.map((line) => JSON.parse(line) as Listed).map((listed) => [listed.Service, listed]));
  }

  /** Tokens of the demo users, read from the log as a person would. */
  async tokens(): Promise<ReadonlyMap<DemoUserName, string>> {
    const printed = await this.run(['logs', '--no-log-prefix', 'identity-provider']);
    // Compose prints terminal control sequences even without a terminal.
    const lines = stripVTControlCharacters(printed).split('\n');
    const users = Object.keys(DEMO_USERS) as DemoUserName[];
    return new Map(users.map((user) => [user, lines[lines.lastIndexOf(user) + 1] ?? '']));
  }

  private url(name: string): string {
    return `http://${HOST}:${this.ports[name]}`;
  }
}
