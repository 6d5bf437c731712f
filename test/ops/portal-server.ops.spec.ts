import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, open, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { childEnvironment } from '../../deploy/local/config.js';
import { takePorts } from '../../deploy/local/processes/ports.js';
import { eventually } from '@po/testing/eventually';
import { ROOT } from '@po/testing/documents';
import { PORTAL, describePortalServer, writeSite } from '../../services/gateway/src/fixtures/portal-server.js';
import { programOf, runDir } from '../../deploy/tools/fixtures/ops-tools.js';

const SETTINGS = {
  PORTAL_OIDC_AUTHORITY: PORTAL.authority,
  PORTAL_OIDC_CLIENT_ID: PORTAL.clientId,
  PORTAL_OIDC_SCOPE: PORTAL.scope,
};
const NONE = { PORT: null, MANAGEMENT_PORT: null, PORTAL_OIDC_ORIGINS: null, AUTH_ALLOW_HTTP: null };

/** What the Dockerfile copies. */
async function installed(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  for (const file of ['start.sh', 'nginx.conf.template'])
    await copyFile(join(ROOT, 'deploy/portal', file), join(folder, file));
  await writeSite(join(folder, 'site'));
  return join(folder, 'start.sh');
}

/** A folder to find nginx in. Started by root it would hand its work to a user who sees nothing of this run's folder. */
async function programs(folder: string): Promise<string> {
  const asRoot = process.getuid?.() === 0 ? 'user root; ' : '';
  await mkdir(folder, { recursive: true });
  const script = `#!/bin/sh\nexec '${programOf('nginx')}' -e stderr -c "$4" -g '${asRoot}daemon off;'\n`;
  await writeFile(join(folder, 'nginx'), script, { mode: 0o755 });
  return `${folder}${delimiter}${process.env['PATH']}`;
}

describe('the server of the portal`s own image', () => {
  const folder = join(runDir(), 'portal-server');
  let nginx: ChildProcess;
  let ports: { http: number; management: number };
  const log = () => readFile(join(folder, 'log'), 'utf8');

  beforeAll(async () => {
    const start = await installed(folder);
    ports = await takePorts(folder, ['http', 'management']);
    const output = await open(join(folder, 'log'), 'w');
    nginx = spawn('sh', [start], {
      env: childEnvironment({
        ...{ ...NONE, ...SETTINGS, PATH: await programs(join(folder, 'bin')), TMPDIR: folder },
        ...{ PORT: String(ports.http), MANAGEMENT_PORT: String(ports.management) },
      }),
      stdio: ['ignore', output.fd, output.fd],
    });
    await output.close();
    const isReady = async () => (await fetch(`http://127.0.0.1:${ports.management}/readyz`)).ok;
    await eventually('nginx answers', () =>
      isReady().catch(() => log().then((text) => Promise.reject(new Error(text)))),
    );
  });
  afterAll(async () => {
    if (nginx.exitCode !== null) return;
    const ended = once(nginx, 'exit');
    nginx.kill('SIGQUIT');
    await ended;
  });

  describePortalServer(() => `http://127.0.0.1:${ports.http}`);

  it('lives as long as it answers, beside the port that callers see', async () => {
    const answer = (path: string, port: number) => fetch(`http://127.0.0.1:${port}${path}`);
    expect((await answer('/healthz', ports.management)).status).toBe(200);
    expect((await answer('/', ports.management)).status).toBe(404);
    expect((await answer('/healthz', ports.http)).status).toBe(404);
  });

  it('writes a line a request, without codes and states of a sign-in', async () => {
    await fetch(`http://127.0.0.1:${ports.http}/signed-in?code=c0de&state=5tate`);
    await eventually('the line is there', async () => (await log()).includes('"path":"/index.html","status":200'));
    expect(await log()).not.toMatch(/c0de|5tate/);
  });
});

describe('its settings', () => {
  const folder = join(runDir(), 'portal-settings');
  let start: string;
  beforeAll(async () => {
    start = await installed(folder);
  });

  /** How it ends, where nginx only says what it would serve. */
  const started = (settings: Record<string, string | null>) =>
    new Promise<{ code: number; text: string }>((resolve, reject) => {
      const write = writeFile(join(folder, 'nginx'), '#!/bin/sh\ncat "$4"\n', { mode: 0o755 });
      const env = childEnvironment({
        ...{ ...NONE, ...SETTINGS, PORTAL_OIDC_SCOPE: null, TMPDIR: folder },
        ...{ PATH: `${folder}${delimiter}${process.env['PATH']}`, ...settings },
      });
      const run = () =>
        execFile('sh', [start], { env }, (error, output, errors) =>
          resolve({ code: typeof error?.code === 'number' ? error.code : 0, text: output + errors }),
        );
      write.then(run, reject);
    });

  it('have the defaults of the gateway', async () => {
    const { code, text } = await started({});
    expect(code).toBe(0);
    expect(text).toContain('"scope":"openid profile email"');
    expect(text).toMatch(/^ {4}listen 8080;$/m);
    expect(text).toMatch(/^ {4}listen 9464;$/m);
    expect(text).not.toMatch(/@[A-Z_]+@/);
  });

  it('let pages ask where else the provider has its endpoints', async () => {
    const { text } = await started({ PORTAL_OIDC_ORIGINS: 'https://a.example.com,https://b.example.com' });
    const origins = 'https://login.example.com https://a.example.com https://b.example.com';
    expect(text).toContain(`; connect-src 'self' ${origins}; frame-src 'self' ${origins}; `);
  });

  it.each([
    ['http://127.0.0.1:8090', {}],
    ['http://localhost/tenant', {}],
    ['http://login.example.com', { AUTH_ALLOW_HTTP: 'true' }],
  ])('let the portal sign in at %s with %j', async (authority, allowed) => {
    const { code, text } = await started({ PORTAL_OIDC_AUTHORITY: authority, ...allowed });
    expect([code, text]).toEqual([0, expect.stringContaining(`"authority":"${authority}"`)]);
  });

  it.each([
    ['PORTAL_OIDC_AUTHORITY', null],
    ['PORTAL_OIDC_AUTHORITY', 'login.example.com'],
    ['PORTAL_OIDC_AUTHORITY', 'http://login.example.com'],
    ['PORTAL_OIDC_AUTHORITY', 'http://127.0.0.1.example.com'],
    ['AUTH_ALLOW_HTTP', 'yes'],
    ['PORTAL_OIDC_AUTHORITY', "https://login.example.com/'; return 200; #"],
    ['PORTAL_OIDC_AUTHORITY', 'https://login.example.com/\nhttps://evil.example'],
    ['PORTAL_OIDC_CLIENT_ID', ''],
    ['PORTAL_OIDC_CLIENT_ID', 'po"portal'],
    ['PORTAL_OIDC_SCOPE', 'openid $request_uri'],
    ['PORTAL_OIDC_ORIGINS', 'https://a.example.com,*'],
    ['PORTAL_OIDC_ORIGINS', 'https://a.example.com/token'],
    ['PORT', '80 ssl'],
    ['MANAGEMENT_PORT', 'x'],
  ])('are refused before anything starts: %s=%j', async (name, value) => {
    const { code, text } = await started({ [name]: value });
    expect([code, text]).toEqual([78, expect.stringMatching(`^bad configuration of the portal:\n  ${name}: `)]);
  });

  it('are refused all at once', async () => {
    const { text } = await started({ PORTAL_OIDC_AUTHORITY: null, PORTAL_OIDC_CLIENT_ID: null });
    expect(text.trim().split('\n')).toHaveLength(3);
  });
});
