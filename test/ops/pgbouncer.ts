import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { childEnvironment } from '../../deploy/local/config.js';
import { reservePorts } from '../../deploy/local/processes/ports.js';
import type { Processes } from '../../deploy/local/processes/processes.js';
import type { IdentityFiles } from '@po/testing/certificates';
import { programOf } from '../../deploy/tools/fixtures/ops-tools.js';

const ROLES = ['po_internal', 'po_vendor', 'po_migrator'];

export interface Pooler {
  /** URL of the same database through PgBouncer. */
  by: (url: string) => string;
  /** Kills and restarts PgBouncer, which breaks all its client and server connections. */
  restart: () => void;
}

/** Starts a PgBouncer in front of the server of a URL, with TLS only, for roles whose password is their name. */
export async function startPgBouncer(
  processes: Processes,
  folder: string,
  name: string,
  { server, tls, settings }: { server: string; tls: IdentityFiles; settings: Record<string, string> },
): Promise<Pooler> {
  const dir = join(folder, name);
  await mkdir(dir, { recursive: true });
  const { port } = await reservePorts(dir, ['port']);
  const { hostname, port: serverPort } = new URL(server);
  const users = join(dir, 'users.txt');
  await writeFile(users, ROLES.map((role) => `"${role}" "${role}"\n`).join(''));
  const lines = Object.entries({
    listen_addr: '127.0.0.1',
    listen_port: port,
    unix_socket_dir: '',
    auth_type: 'scram-sha-256',
    auth_file: users,
    default_pool_size: 3,
    server_idle_timeout: 1,
    client_tls_sslmode: 'require',
    client_tls_key_file: tls.key,
    client_tls_cert_file: tls.cert,
    // PgBouncer refuses to run as root.
    ...(process.getuid?.() === 0 ? { user: 'nobody' } : {}),
    ...settings,
  }).map(([setting, value]) => `${setting} = ${value}`);
  const file = join(dir, 'pgbouncer.ini');
  const databases = `[databases]\n* = host=${hostname} port=${serverPort}\n`;
  await writeFile(file, `${databases}[pgbouncer]\n${lines.join('\n')}\n`);
  const started = processes.start('store', {
    name,
    command: programOf('pgbouncer'),
    args: [file],
    env: childEnvironment({}),
    cwd: dir,
    log: join(dir, 'log'),
    stopTimeoutMs: 3_000,
  });
  return {
    by: (url) => {
      const reached = new URL(url);
      [reached.hostname, reached.port] = ['localhost', String(port)];
      reached.search = new URLSearchParams({ sslmode: 'verify-full', sslrootcert: tls.ca }).toString();
      return reached.href;
    },
    restart: () => {
      void started.suspend('SIGKILL').then(() => started.resume());
    },
  };
}
