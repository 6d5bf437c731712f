import { join } from 'node:path';
import { HOST, takePorts } from '../../deploy/local/processes/ports.js';
import { runDir } from '../../deploy/tools/fixtures/ops-tools.js';
import { cleanCopy } from './clean-copy.js';
import type { Docker } from './engine.js';

interface Listed {
  Service: string;
  ID: string;
  State: string;
  Health: string;
  ExitCode: number;
}

/** `docker compose` in a clean copy of the repository, on ports that are free. */
export class Compose {
  private constructor(
    private readonly docker: Docker,
    private readonly dir: string,
    private readonly ports: Record<string, number>,
  ) {}

  static async open(docker: Docker): Promise<Compose> {
    const dir = await cleanCopy(join(runDir(), 'copy'));
    const ports = await takePorts(join(runDir(), 'ports'), [
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

  /** Standard output of a command; `changes` of its environment. */
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
      // As another system that this machine may run by compose is called by default.
      COMPOSE_PROJECT_NAME: 'po-test',
      ...changes,
    };
    return this.docker.run(['compose', ...args], { env, cwd: this.dir });
  }

  /** All containers by their service, those that ended too. */
  async containers(): Promise<Map<string, Listed>> {
    const lines = (await this.run(['ps', '--all', '--format', 'json'])).split('\n').filter(Boolean);
    return new Map(lines.map((line) => JSON.parse(line) as Listed).map((listed) => [listed.Service, listed]));
  }

  private url(name: string): string {
    return `http://${HOST}:${this.ports[name]}`;
  }
}
