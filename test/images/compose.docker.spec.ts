import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Preferences, PurchaseOrderDetail } from '@po/contracts';
import type { Api } from '../../deploy/local/api-client.js';
import { DEMO_USERS, type DemoUserName } from '../../deploy/local/demo/users.js';
import { sendToInventory, upsertMessage } from '../../deploy/local/inventory-feed.js';
import { HOST } from '../../deploy/local/processes/ports.js';
import { SERVICE_NAMES } from '../../deploy/local/stack/stack-file.js';
import { eventually } from '@po/testing/eventually';
import { apiClient } from '../support/api-client.js';
import { Compose, JOBS, ORDER } from './compose.js';
import { Docker } from './engine.js';
import { INSPECTION, LOCKED_DOWN } from './locked-down.js';
import { buildStandIns } from './stand-ins.js';

const BUILD_MS = 15 * 60_000;
const UP_MS = 3 * 60_000;
const STORES = ['kafka', 'postgres', 'redis'];
const OURS = Object.values(SERVICE_NAMES);

interface Container {
  Config: { User: string };
  HostConfig: { ReadonlyRootfs: boolean; CapDrop: string[] | null; SecurityOpt: string[] | null };
  State: { ExitCode: number };
}

let docker: Docker;
let compose: Compose;
let tokens: ReadonlyMap<DemoUserName, string>;

const as = (user: DemoUserName): Api => apiClient(compose.gatewayUrl, tokens.get(user));

beforeAll(async () => {
  docker = await Docker.open();
  await buildStandIns(docker);
  compose = await Compose.open(docker);
}, BUILD_MS);

afterAll(async () => {
  await compose?.run(['down', '--volumes', '--timeout', '5']);
  await docker?.close();
}, UP_MS);

/** Whether every service runs, healthy if it has a health check, and every job has succeeded. Throws if not. */
async function isUp(): Promise<boolean> {
  const containers = await compose.containers();
  const states = [...containers.values()].map(({ Service, State, Health, ExitCode }) =>
    JOBS.includes(Service) ? `${Service}: ${State} ${ExitCode}` : `${Service}: ${State} ${Health}`.trim(),
  );
  const wanted = [
    ...[...STORES, ...OURS, 'mailpit'].map((name) => `${name}: running healthy`),
    ...JOBS.map((name) => `${name}: exited 0`),
    'identity-provider: running',
  ];
  const missing = wanted.filter((state) => !states.includes(state));
  if (missing.length > 0) throw new Error(`missing: ${missing.join(', ')}; found: ${states.join(', ')}`);
  return true;
}

describe('docker compose up --build', () => {
  it(
    'builds all images from a clean copy',
    async () => {
      const startedAt = performance.now();
      await compose.run(['build']);
      process.stderr.write(`  built in ${((performance.now() - startedAt) / 1000).toFixed(0)} s\n`);
      const images = (await docker.run(['images', '--format', '{{.Repository}}'])).split('\n');
      expect(images).toEqual(expect.arrayContaining(OURS.map((name) => `po/${name}`)));
    },
    BUILD_MS,
  );

  it(
    'starts every service and every job',
    async () => {
      const startedAt = performance.now();
      await compose.run(['up', '--build', '--detach']);
      await eventually('everything is up', isUp, { timeoutMs: UP_MS });
      process.stderr.write(`  up in ${((performance.now() - startedAt) / 1000).toFixed(0)} s\n`);
    },
    BUILD_MS,
  );

  it('serves the portal, its sign-in and the API documentation', async () => {
    const page = await fetch(compose.gatewayUrl);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const { authority } = (await (await fetch(`${compose.gatewayUrl}/portal.json`)).json()) as { authority: string };
    expect(authority).toBe(compose.providerUrl);
    const discovery = await fetch(`${authority}/.well-known/openid-configuration`);
    expect(discovery.status).toBe(200);
    expect((await fetch(`${compose.gatewayUrl}/docs`)).status).toBe(200);
  });

  it('prints a token for each demo user in the log of the identity provider', async () => {
    tokens = await compose.tokens();
    expect([...tokens.values()].filter((token) => !/^[\w-]+\.[\w-]+\.[\w-]+$/.test(token))).toEqual([]);
    for (const user of ['buyer', 'vendor:ACME'] as const) expect((await as(user).get('/me')).status).toBe(200);
  });

  it('takes an order from the inventory topic to its approval, and mails a buyer who wants immediate mail', async () => {
    const { body: preferences } = await as('buyer').get<Preferences>('/me/preferences');
    await as('buyer').put('/me/preferences', { ...preferences, mail: { ...preferences.mail, TRANSITION: 'now' } });
    await sendToInventory(compose.kafkaBrokers, [upsertMessage(ORDER)]);
    const path = `/purchase-orders/${ORDER.poNumber}`;
    await eventually('the order exists', async () => (await as('vendor:ACME').get(path)).status === 200);
    const transition = (user: DemoUserName, action: string) => as(user).post(`${path}/transition`, { action });
    expect((await transition('vendor:ACME', 'SUBMIT')).status).toBe(200);
    expect((await transition('buyer', 'APPROVE')).status).toBe(200);
    expect((await as('buyer').get<PurchaseOrderDetail>(path)).body).toMatchObject({ statusId: 300 });
    const mailpit = async <T>(path: string) => (await (await fetch(`${compose.mailUrl}/api/v1${path}`)).json()) as T;
    const id = await eventually('the buyer has a mail', async () => {
      const { messages } = await mailpit<{ messages: { ID: string; To: { Address: string }[] }[] }>('/messages');
      return messages.find(({ To }) => To.some(({ Address }) => Address === DEMO_USERS.buyer.email))?.ID;
    });
    // One click unsubscribes (RFC 8058), and most mail readers support the HTML.
    expect(await mailpit(`/message/${id}`)).toMatchObject({
      ListUnsubscribe: { HeaderPost: 'List-Unsubscribe=One-Click', Errors: '' },
    });
    const { Warnings: warnings } = await mailpit<{ Warnings: { Title: string; Score: { Unsupported: number } }[] }>(
      `/message/${id}/html-check`,
    );
    expect(warnings.filter(({ Score }) => Score.Unsupported > 50).map(({ Title }) => Title)).toEqual([]);
  });
});

describe('a container of the composed system', () => {
  it.each([...[...OURS, ...JOBS].map((name) => [name, '10001:10001']), ['identity-provider', '']])(
    'has a read-only file system and no capabilities: %s, as the user "%s"',
    async (service = '', user) => {
      const [container] = await docker.inspect<Container>((await compose.containers()).get(service)?.ID ?? '');
      expect(container).toMatchObject({
        Config: { User: user },
        HostConfig: { ReadonlyRootfs: true, CapDrop: ['ALL'], SecurityOpt: ['no-new-privileges:true'] },
      });
    },
  );

  it.each(OURS)('is locked down: %s', async (service) => {
    const printed = await compose.run(['exec', '-T', service, 'node', '--input-type=module', '--eval', INSPECTION]);
    expect(JSON.parse(printed)).toEqual(LOCKED_DOWN);
  });
});

describe('a running docker compose project', () => {
  it(
    'names the port that is already in use',
    async () => {
      const server = createServer();
      await new Promise<void>((resolve) => void server.listen(0, HOST, resolve));
      const { port } = server.address() as { port: number };
      const other = { COMPOSE_PROJECT_NAME: 'po-test-other', MAILPIT_PORT: String(port) };
      try {
        const failure = await compose.run(['up', '--detach', 'mailpit'], other).then(String, String);
        expect(failure).toMatch(new RegExp(`${port}.*(already allocated|already in use)`));
      } finally {
        await compose.run(['down', '--volumes'], other);
        server.close();
      }
    },
    UP_MS,
  );

  it(
    'stops each service with exit code 0',
    async () => {
      await compose.run(['stop']);
      const containers = await compose.containers();
      const ended = [...OURS, 'identity-provider'];
      expect(ended.map((service) => [service, containers.get(service)?.ExitCode])).toEqual(
        ended.map((service) => [service, 0]),
      );
    },
    UP_MS,
  );

  it(
    'keeps orders and token signing keys through down and up',
    async () => {
      await compose.run(['down']);
      await compose.run(['up', '--build', '--detach']);
      await eventually('everything is up', isUp, { timeoutMs: UP_MS });
      const before = await as('buyer').get<PurchaseOrderDetail>(`/purchase-orders/${ORDER.poNumber}`);
      expect([before.status, before.body?.statusId]).toEqual([200, 300]);
      tokens = await compose.tokens();
      const kpis = await as('buyer').get('/dashboard/kpis');
      expect(kpis.status).toBe(200);
    },
    BUILD_MS,
  );
});
