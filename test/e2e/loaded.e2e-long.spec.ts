import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { childEnvironment } from '../../deploy/local/config.js';
import { SERVICE_NAMES } from '../../deploy/local/stack/stack-file.js';

/** Tells of every file of OpenTelemetry that a process loads, whichever way. */
const WATCH = `import { registerHooks } from 'node:module';
  registerHooks({ load: (url, context, next) => {
    if (url.includes('opentelemetry')) process.stderr.write('loaded ' + url + '\\n');
    return next(url, context);
  } });`;
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const jwk = (key: typeof privateKey) => ({ ...key.export({ format: 'jwk' }), kid: 'k1' });
/** Of every service. No store is there: what a process loads it has loaded before it looks for one. */
const ENVIRONMENT = {
  KAFKA_BROKERS: '127.0.0.1:1',
  REDIS_URL: 'redis://127.0.0.1:1',
  MANAGEMENT_PORT: '0',
  PORT: '0',
  DATABASE_URL_INTERNAL: 'postgres://x@127.0.0.1:1/x',
  DATABASE_URL_VENDOR: 'postgres://x@127.0.0.1:1/x',
  DATABASE_URL_USER: 'postgres://x@127.0.0.1:1/x',
  AUTH_JWKS_URL: 'http://127.0.0.1:1/keys',
  AUTH_ISSUER: 'https://id.test.example',
  AUTH_AUDIENCE: 'x',
  DRAIN_DELAY_MS: '0',
  LOG_LEVEL: 'info',
  ACTOR_SIGNING_KEY: JSON.stringify(jwk(privateKey)),
  ACTOR_VERIFICATION_KEYS: JSON.stringify({ keys: [jwk(publicKey)] }),
};

/** The packages of OpenTelemetry that a service has loaded once it looks for its stores, and how it ended when it was told to. */
async function packagesOf(service: string, endpoint: string | null): Promise<{ packages: string[]; code: unknown }> {
  const main = fileURLToPath(new URL(`../../services/${service}/dist/main.js`, import.meta.url));
  const child = spawn(process.execPath, ['--import', `data:text/javascript,${encodeURIComponent(WATCH)}`, main], {
    env: childEnvironment({ ...ENVIRONMENT, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [logged, told]: [string[], string[]] = [[], []];
  const ended = once(child, 'close');
  child.stderr.on('data', (chunk: Buffer) => void told.push(String(chunk)));
  child.stdout.on('data', (chunk: Buffer) => {
    logged.push(String(chunk));
    // A second one would end it at once.
    if (!child.killed && logged.join('').includes('"level":"warn"')) child.kill('SIGTERM');
  });
  const [code] = (await ended) as unknown[];
  const names = [...told.join('').matchAll(/@opentelemetry\/([a-z-]+)/g)].map(([, name = '']) => name);
  return { packages: [...new Set(names)].toSorted(), code };
}

/** The names of what others would have to implement: prom-client loads it in any case, for exemplars. */
const OF_METRICS = ['api'];

describe.each(Object.values(SERVICE_NAMES))('%s', (service) => {
  it('loads nothing of OpenTelemetry unless it traces, and stops all the same where no collector is', async () => {
    const [without, traced] = await Promise.all([packagesOf(service, null), packagesOf(service, 'http://127.0.0.1:1')]);
    expect(without).toEqual({ packages: OF_METRICS, code: 0 });
    expect(traced.packages).toEqual(expect.arrayContaining(['exporter-trace-otlp-proto', 'sdk-trace']));
    expect(traced.code).toBe(0);
  });
});
