import { spawn } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { childEnvironment } from '../../deploy/local/config.js';
import { SERVICE_NAMES } from '../../deploy/local/stack/stack-file.js';

/** Module that reports every OpenTelemetry file that a process loads, by import or require. */
const WATCH = `import { registerHooks } from 'node:module';
  registerHooks({ load: (url, context, next) => {
    if (url.includes('opentelemetry')) process.stderr.write('loaded ' + url + '\\n');
    return next(url, context);
  } });`;
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const jwk = (key: typeof privateKey) => ({ ...key.export({ format: 'jwk' }), kid: 'k1' });
/** Settings of all services. No store runs, because a process loads its modules before it connects to a store. */
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

/** OpenTelemetry packages that a service has loaded when it connects to its stores, and its exit code after SIGTERM. */
async function packagesOf(service: string, endpoint: string | null): Promise<{ packages: string[]; code: unknown }> {
  const main = fileURLToPath(new URL(`../../services/${service}/dist/main.js`, import.meta.url));
  const child = spawn(process.execPath, ['--import', `data:text/javascript,${encodeURIComponent(WATCH)}`, main], {
    env: childEnvironment({ ...ENVIRONMENT, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [logged, loaded]: [string[], string[]] = [[], []];
  const ended = once(child, 'close');
  child.stderr.on('data', (chunk: Buffer) => void loaded.push(String(chunk)));
  child.stdout.on('data', (chunk: Buffer) => {
    logged.push(String(chunk));
    // A second SIGTERM would end the process immediately.
    if (!child.killed && logged.join('').includes('"level":"warn"')) child.kill('SIGTERM');
  });
  const [code] = (await ended) as unknown[];
  const names = [...loaded.join('').matchAll(/@opentelemetry\/([a-z-]+)/g)].map(([, name = '']) => name);
  return { packages: [...new Set(names)].toSorted(), code };
}

/** The API without an implementation, which prom-client always loads for exemplars. */
const OF_METRICS = ['api'];

describe.each(Object.values(SERVICE_NAMES))('%s', (service) => {
  it('loads OpenTelemetry only if tracing is on, and stops even without a collector', async () => {
    const [without, traced] = await Promise.all([packagesOf(service, null), packagesOf(service, 'http://127.0.0.1:1')]);
    expect(without).toEqual({ packages: OF_METRICS, code: 0 });
    expect(traced.packages).toEqual(expect.arrayContaining(['exporter-trace-otlp-proto', 'sdk-trace']));
    expect(traced.code).toBe(0);
  });
});
