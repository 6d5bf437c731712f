import { execFileSync } from 'node:child_process';
import { appendFile, chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { reservePorts } from '../../deploy/local/processes/ports.js';
import { Processes } from '../../deploy/local/processes/processes.js';
import { startPostgres } from '../../deploy/local/stores/embedded-postgres.js';
import { type Authority, type Identity, writeIdentity } from '@po/testing/certificates';
import { eventually } from '@po/testing/eventually';

/** PostgreSQL of a test, which requires TLS from all users except the administrator. */
export interface SecuredPostgres {
  dir: string;
  /** URL of the administrator, without TLS. */
  adminUrl: string;
  /** URL of a role, with these TLS parameters. */
  urlOf(role: string, parameters?: Record<string, string>): string;
  /** Runs statements as the administrator. */
  administer(...statements: string[]): Promise<void>;
  /** Makes the server present this certificate; null disables TLS. */
  show(identity: Identity | null): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the server. Clients of `certified` roles need a certificate of the authority with the role's name. */
export async function startSecuredPostgres(
  authority: Authority,
  { roles, certified }: { roles: readonly string[]; certified: readonly string[] },
): Promise<SecuredPostgres> {
  const dir = await mkdtemp(join(tmpdir(), 'po-secured-'));
  await chmod(dir, 0o755);
  const processes = new Processes(dir);
  const { port } = await reservePorts(dir, ['port']);
  const data = join(dir, 'postgres');
  const adminUrl = await startPostgres(processes, { data, log: join(dir, 'log'), port });
  const files = join(dir, 'server');
  const administer = async (...statements: string[]) => {
    const client = new pg.Client({ connectionString: adminUrl });
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  };
  const show = async (identity: Identity | null) => {
    if (identity) await ownedByServer(await writeIdentity(files, authority, identity));
    const logged = (await readFile(join(dir, 'log'), 'utf8')).length;
    await administer(`ALTER SYSTEM SET ssl = ${identity ? 'on' : 'off'}`, 'SELECT pg_reload_conf()');
    const shown = async () =>
      (await readFile(join(dir, 'log'), 'utf8')).slice(logged).includes('reloading configuration');
    await eventually('the server has reloaded its configuration', shown);
  };
  for (const role of [...roles, ...certified])
    await administer(`CREATE ROLE ${role} LOGIN PASSWORD '${role}-password'`);
  const rules = [
    ...certified.map((role) => `hostssl all ${role} all scram-sha-256 clientcert=verify-full`),
    'host all postgres all password',
    'hostssl all all all scram-sha-256',
  ];
  await writeFile(join(data, 'pg_hba.conf'), `${rules.join('\n')}\n`);
  await mkdir(files, { recursive: true });
  for (const [setting, file] of Object.entries({
    ssl_ca_file: 'ca.crt',
    ssl_cert_file: 'tls.crt',
    ssl_key_file: 'tls.key',
  }))
    await appendFile(join(data, 'postgresql.conf'), `${setting} = '${join(files, file)}'\n`);
  await show(await authority.certify('postgres'));
  return {
    dir,
    adminUrl,
    administer,
    show,
    urlOf: (role, parameters = {}) => {
      const query = new URLSearchParams(parameters).toString();
      return `postgres://${role}:${role}-password@localhost:${port}/postgres${query && `?${query}`}`;
    },
    stop: async () => {
      await processes.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** If root starts PostgreSQL, it runs as the user nobody, who must own the files. */
async function ownedByServer(files: Record<string, string>): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const [uid, gid] = ['-u', '-g'].map((which) => Number(execFileSync('id', [which, 'nobody'], { encoding: 'utf8' })));
  for (const file of Object.values(files)) await chown(file, uid as number, gid as number);
}
