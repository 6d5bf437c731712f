import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { type AddressInfo, type Socket, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { reservePorts } from '../../deploy/local/processes/ports.js';
import { eventually } from '@po/testing/eventually';
import { IdentityProvider } from '@po/testing/identity-provider';

const NOWHERE = '127.0.0.1:1';

/** On a busy machine a process takes longer to load than anything else that these tests wait for. */
const START_TIMEOUT_MS = 25_000;

function startService(service: string, port: number, databaseAt: string, keysAt = NOWHERE) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const database = `postgres://nobody@${databaseAt}/nothing`;
  return spawn(process.execPath, [fileURLToPath(new URL(`../../services/${service}/dist/main.js`, import.meta.url))], {
    env: {
      KAFKA_BROKERS: NOWHERE,
      DATABASE_URL_INTERNAL: database,
      DATABASE_URL_USER: database,
      DATABASE_URL_VENDOR: database,
      REDIS_URL: `redis://${NOWHERE}`,
      ACTOR_VERIFICATION_KEYS: JSON.stringify({ keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'test' }] }),
      ACTOR_SIGNING_KEY: JSON.stringify({ ...privateKey.export({ format: 'jwk' }), kid: 'test' }),
      AUTH_JWKS_URL: `http://${keysAt}/`,
      AUTH_ISSUER: 'https://id.test.example',
      AUTH_AUDIENCE: 'test',
      PORT: '0',
      MANAGEMENT_HOST: '127.0.0.1',
      MANAGEMENT_PORT: String(port),
      DRAIN_DELAY_MS: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

/** Log messages of a service that gets SIGTERM while it waits for a database at this address. */
async function messagesOf(service: string, databaseAt: string): Promise<string[]> {
  const { service: port } = await reservePorts(await mkdtemp(join(tmpdir(), 'po-start-')), ['service']);
  const child = startService(service, port, databaseAt);
  const exited = once(child, 'exit');
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  try {
    const readiness = () => fetch(`http://127.0.0.1:${port}/readyz`).then((response) => response.text());
    await eventually(
      'the service waits for PostgreSQL',
      async () => (await readiness().catch(() => '')).includes('PostgreSQL: waiting for PostgreSQL: '),
      { timeoutMs: START_TIMEOUT_MS },
    );
    child.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  } finally {
    child.kill('SIGKILL');
  }
  const lines = output.trimEnd().split('\n');
  return lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
}

describe('a service whose database is down', () => {
  for (const [service, ...also] of [
    ['purchase-orders'],
    ['notifications', 'Redis does not answer; live streams notice changes later'],
  ] as const) {
    it(`logs what it waits for and stops on SIGTERM: ${service}`, async () => {
      const messages = await messagesOf(service, NOWHERE);
      expect(messages[0]).toBe('waiting for a dependency');
      // Compared as a set, because the last line may overtake lines that are still being written when the process ends.
      expect(new Set(messages)).toEqual(
        new Set(['waiting for a dependency', ...also, 'draining', 'outbox leases could not be released', 'stopped']),
      );
    });
  }

  it('stops on SIGTERM even if the database server never answers', async () => {
    const connections: Socket[] = [];
    const server = createServer((connection) => connections.push(connection.on('error', () => undefined)));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    try {
      const messages = await messagesOf('purchase-orders', `127.0.0.1:${(server.address() as AddressInfo).port}`);
      // Compared as a set for the same reason. Nothing was started after the signal.
      expect(new Set(messages.slice(messages.indexOf('draining')))).toEqual(
        new Set(['draining', 'outbox leases could not be released', 'stopped']),
      );
    } finally {
      for (const connection of connections) connection.destroy();
      await new Promise((resolve) => server.close(resolve));
    }
  });
});

describe('a gateway whose identity provider is down', () => {
  it('is not ready and reports the missing key set until it has the keys, because other gateways may have them', async () => {
    const provider = await IdentityProvider.start();
    const { answer } = provider;
    provider.answer = (_request, response) => void response.writeHead(500).end();
    const { gateway: port } = await reservePorts(await mkdtemp(join(tmpdir(), 'po-start-')), ['gateway']);
    const child = startService('gateway', port, NOWHERE, new URL(provider.url).host);
    const reasons = async () =>
      (await fetch(`http://127.0.0.1:${port}/readyz`).then((response) => response.text())).includes('key set: ');
    try {
      await eventually('the gateway waits for its keys', () => reasons().catch(() => false), {
        timeoutMs: START_TIMEOUT_MS,
      });
      provider.answer = answer;
      await eventually('the gateway has its keys', async () => !(await reasons()));
    } finally {
      child.kill('SIGKILL');
      await provider.stop();
    }
  });
});
