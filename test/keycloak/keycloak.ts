import { createHash, randomUUID } from 'node:crypto';
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { eventually } from '@po/testing/eventually';
import { DEFAULT_DIR, childEnvironment, javaCommand } from '../../deploy/local/config.js';
import { logsIn } from '../../deploy/local/logs/log-files.js';
import { HOST, reservePorts } from '../../deploy/local/processes/ports.js';
import type { Process } from '../../deploy/local/processes/process.js';
import { Processes } from '../../deploy/local/processes/processes.js';
import { REPOSITORY } from '../../deploy/local/repository.js';
import { missingForJava } from '../../deploy/local/stores/embedded-kafka.js';
import type { Provider } from '../portal/own-gateway.js';
import { stackFolder } from '../support/stack.js';

const VERSION = '26.7.3';
const ARTIFACT = `org.keycloak:keycloak-quarkus-dist:${VERSION}:zip`;
const SHA256 = '27a6535553c3cdcd083872ba40629efafb3475e3b758e0c6f691395561dd0f1f';
const CACHE = join(DEFAULT_DIR, `keycloak-${VERSION}`);
const PROGRAM = join(CACHE, `keycloak-${VERSION}`);
const REALM = join(REPOSITORY, 'deploy/keycloak');
/** Also the audience of the portal's tokens. */
const REALM_NAME = 'purchase-orders';

/** Java options of `kc.sh`, with less JIT compilation, which does not pay off in a short-lived test server. */
const JAVA = [
  ...['-Xms128m', '-Xmx512m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1'],
  ...['util', 'util.concurrent', 'security', 'lang'].map((name) => `--add-opens=java.base/java.${name}=ALL-UNNAMED`),
  '--enable-native-access=ALL-UNNAMED',
  '-Djava.util.concurrent.ForkJoinPool.common.threadFactory=io.quarkus.bootstrap.forkjoin.QuarkusForkJoinWorkerThreadFactory',
];
const program = (home: string, ...args: string[]): string[] => [
  ...[...JAVA, `-Dkc.home.dir=${home}`, '-cp', join(home, 'lib/quarkus-run.jar')],
  ...['io.quarkus.bootstrap.runner.QuarkusEntryPoint', ...args],
];
const BUILD = ['build', '--db=dev-file', '--features-disabled=admin,account,kerberos,ciba,device-flow'];
const START_MS = 240_000;
const STOP_MS = 20_000;

/** A Keycloak with the realm of `deploy/keycloak` that keeps its data until it is stopped. */
export interface Keycloak extends Provider {
  process: Process;
  /** Restarts Keycloak after `process.suspend`. */
  resume: () => Promise<void>;
  /** Creates a key and uses it for new signatures. */
  rotateKey: () => Promise<unknown>;
  /** Calls the admin API of the realm. Rejects with the response if its status is not 2xx. */
  admin: <T = unknown>(method: string, path: string, body?: unknown) => Promise<T>;
}

/** Starts Keycloak for a portal of this origin; `users` replace those of the realm. It is downloaded by Maven and built only once. */
export async function startKeycloak(
  portal: string,
  { folder = stackFolder(), users }: { folder?: string; users?: readonly object[] } = {},
): Promise<Keycloak> {
  const dir = join(folder, 'keycloak');
  const imported = join(dir, 'data/import');
  await cp(REALM, imported, { recursive: true });
  if (users) {
    await writeFile(join(imported, `${REALM_NAME}-users-0.json`), JSON.stringify({ realm: REALM_NAME, users }));
  }
  await mkdir(logsIn(folder), { recursive: true });
  const processes = new Processes(dir);
  await fetchProgram(processes);
  await symlink(join(PROGRAM, 'lib'), join(dir, 'lib'));
  const { http } = await reservePorts(dir, ['http']);
  const url = `http://${HOST}:${http}`;
  const authority = `${url}/realms/${REALM_NAME}`;
  const administrator = { username: 'administrator', password: randomUUID() };
  const process = processes.start('store', {
    name: 'Keycloak',
    command: javaCommand(),
    args: program(
      dir,
      ...['start', '--optimized', '--import-realm', '--cache=local'],
      ...['--http-enabled=true', `--http-host=${HOST}`, `--http-port=${http}`, `--hostname=${url}`],
    ),
    env: childEnvironment({
      PORTAL_URL: portal,
      KC_BOOTSTRAP_ADMIN_USERNAME: administrator.username,
      KC_BOOTSTRAP_ADMIN_PASSWORD: administrator.password,
    }),
    log: join(logsIn(folder), 'keycloak.log'),
    stopTimeoutMs: STOP_MS,
  });
  const jwksUrl = `${authority}/protocol/openid-connect/certs`;
  const isReady = () =>
    eventually('Keycloak answers', async () => (await fetch(jwksUrl)).ok, {
      timeoutMs: START_MS,
      giveUp: () => process.failure(),
    });
  const stop = () => processes.stop();
  await isReady().catch((error: unknown) => stop().then(() => Promise.reject(error)));
  const admin: Keycloak['admin'] = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const token = await passwordToken(`${url}/realms/master`, 'admin-cli', administrator);
    const response = await fetch(`${url}/admin/realms/${REALM_NAME}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as T;
  };
  let priority = 200;
  return {
    authority,
    issuer: authority,
    audience: REALM_NAME,
    jwksUrl,
    stop,
    process,
    resume: async () => {
      process.resume();
      await isReady();
    },
    rotateKey: () =>
      admin('POST', '/components', {
        name: `next-${(priority += 1)}`,
        providerId: 'rsa-generated',
        providerType: 'org.keycloak.keys.KeyProvider',
        config: { priority: [String(priority)], algorithm: ['RS256'] },
      }),
    admin,
  };
}

/** Access token that a client gets for a username and a password. Rejects with the OAuth error if the client gets none. */
export async function passwordToken(
  realm: string,
  client: string,
  { username, password }: { username: string; password: string },
): Promise<string> {
  const response = await fetch(`${realm}/protocol/openid-connect/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'password', scope: 'openid', client_id: client, username, password }),
  });
  const answer = (await response.json()) as { access_token?: string; error?: string };
  if (answer.access_token === undefined) throw new Error(answer.error);
  return answer.access_token;
}

async function fetchProgram(processes: Processes): Promise<void> {
  const complete = join(CACHE, 'complete');
  const built = await readFile(complete, 'utf8').catch(() => '');
  const isFetched = built === BUILD.join(' ');
  const missing = await missingForJava('Keycloak', isFetched);
  if (missing.length > 0) throw new Error(missing.join('\n'));
  if (isFetched) return;
  await rm(CACHE, { recursive: true, force: true });
  await mkdir(CACHE, { recursive: true });
  const maven = (goal: string) =>
    processes.run('mvn', ['-q', '-B', `dependency:${goal}`, `-Dartifact=${ARTIFACT}`, `-DoutputDirectory=${CACHE}`], {
      cwd: CACHE,
    });
  await maven('copy');
  const archive = join(CACHE, `keycloak-quarkus-dist-${VERSION}.zip`);
  const sum = createHash('sha256')
    .update(await readFile(archive))
    .digest('hex');
  if (sum !== SHA256) throw new Error(`unexpected SHA-256 of ${ARTIFACT}: ${sum}`);
  await rm(archive);
  await maven('unpack');
  await processes.run(javaCommand(), program(PROGRAM, ...BUILD));
  await writeFile(complete, BUILD.join(' '));
}
