import { setTimeout as delay } from 'node:timers/promises';
import { KafkaRpcClient, Publisher, connectKafka } from '@po/messaging';
import { ActorSigner, type Health, type Logger, type Service } from '@po/platform';
import type { FastifyInstance } from 'fastify';
import { Admission } from './admission/admission.js';
import { connectLeases } from './admission/lease-limiter.js';
import type { AdmissionLimits } from './admission/limits.js';
import { AppModule } from './app.module.js';
import { Announcements } from './authentication/announcements.js';
import { Callers } from './authentication/callers.js';
import { KeySet, reportAge } from './authentication/key-set.js';
import { TokenVerifier } from './authentication/token.js';
import type { Config } from './config.js';
import { documentationPages } from './documentation/pages.js';
import { createHttpApplication } from './http/http-application.js';
import { portalOf } from './portal/portal.js';
import { Upstream } from './routes/upstream.js';
import { LocalWindows } from './rate-limit/local-windows.js';
import { RateLimits, WINDOW_MS } from './rate-limit/rate-limits.js';
import { SharedWindows, connectWindows } from './rate-limit/shared-windows.js';
import { connectSignals } from './stream/signal-reader.js';
import { Streams } from './stream/streams.js';
import { serveUnsubscribe } from './unsubscribe/unsubscribe.js';

/** Without Kafka or the identity provider the port opens after this time anyway, so that callers get a 503, not a closed port. */
const LISTEN_ANYWAY_MS = 10_000;
const POLL_MS = 20;
/** By then the server has closed every connection. */
const HTTP_DRAIN_TIMEOUT_MS = 10_000;
const PORT_OPEN = 'port';

/** Runs the gateway until a signal. Resolves when it listens; rejects only for errors that waiting cannot fix. */
export async function start({ name, config, logger, health, instanceId, drainBy }: Service<Config>): Promise<void> {
  const signer = ActorSigner.create(config.ACTOR_SIGNING_KEY);
  const keys = keySetOf(config, logger);
  const kafka = connectKafka(config, name, logger);
  const client = new KafkaRpcClient({ kafka, logger, instanceId, health });
  const publisher = new Publisher(kafka, { acks: 'all', logger });
  const announcements = new Announcements(publisher, logger);
  const redis = redisAt(config.REDIS_URL, logger);
  const shared = new SharedWindows(redis.windows, WINDOW_MS);
  const rateLimits = new RateLimits(shared, new LocalWindows(WINDOW_MS), {
    read: config.RATE_LIMIT_READS_PER_MINUTE,
    write: config.RATE_LIMIT_WRITES_PER_MINUTE,
    export: config.EXPORTS_PER_MINUTE,
  });
  const upstream = new Upstream(client, signer);
  const streams = new Streams(redis, upstream, logger, announcements);
  const callers = new Callers(new TokenVerifier(keys, tokenSettingsOf(config)), keys, streams);
  const countExport = (userId: string) => rateLimits.admit(userId, 'export');
  const admission = new Admission(redis.leases, admissionLimitsOf(config), countExport);
  const module = AppModule.register({ upstream, callers, announcements, rateLimits, streams, admission });
  const pages = documentationPages(config.DOCS);
  const portal = portalOf(config);
  const serve = async (instance: FastifyInstance) => {
    await serveUnsubscribe(instance, upstream);
    await portal?.(instance);
  };
  const corsOrigins = config.CORS_ORIGINS;
  const app = await createHttpApplication(module, { corsOrigins, pages, serve, admission, health, logger });

  // At the signal itself: an export takes longer than the drain delay, and the client can request the file from another gateway.
  health.draining.addEventListener('abort', () => admission.exports.close());
  drainBy([
    // Before HTTP, which would wait for the streams.
    { name: 'live streams', run: () => streams.close() },
    { name: 'http', run: () => app.close(), timeoutMs: HTTP_DRAIN_TIMEOUT_MS },
    { name: 'requests to services', run: () => client.close() },
    {
      name: 'announcements',
      run: () => {
        announcements.stop();
        return publisher.close();
      },
    },
    { name: 'admission', run: () => admission.close() },
    { name: 'redis', run: () => redis.disconnect() },
    { name: 'key set', run: () => keys.stop() },
  ]);
  let listening = false;
  // Clients that check readiness send requests at once.
  health.addReadiness(PORT_OPEN, () => listening || 'not yet');
  health.addReadiness('key set', () => keys.ready);
  reportAge(keys);
  shared.report();
  streams.start();
  keys.start();
  publisher.connect();
  await client.connect();
  await waitUntilRepliesCanArrive(health);
  if (health.isDraining) return;
  await listen(app, config);
  listening = true;
  logger.info({ host: config.HOST, port: config.PORT }, 'listening');
}

/**
 * Waits until replies can arrive. Clients send requests as soon as the port is open, and a load balancer may not check readiness: until
 * then all requests would be refused.
 */
async function waitUntilRepliesCanArrive(health: Health): Promise<void> {
  const deadline = performance.now() + LISTEN_ANYWAY_MS;
  const waits = () => health.notReady().some((reason) => !reason.startsWith(PORT_OPEN));
  while (waits() && !health.isDraining && performance.now() < deadline) await delay(POLL_MS);
}

async function listen(app: Awaited<ReturnType<typeof createHttpApplication>>, { PORT, HOST }: Config): Promise<void> {
  try {
    await app.listen(PORT, HOST);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    throw new Error(`port ${PORT} on ${HOST} is in use; set PORT to another one`, { cause: error });
  }
}

/** The connections to Redis, which connect in the background. Reading signals blocks its connection. */
export function redisAt(url: string, logger: Logger) {
  const windows = connectWindows(url, logger);
  const leases = connectLeases(url, logger);
  const signals = connectSignals(url, logger);
  return { windows, leases, signals, disconnect: () => [windows, leases, signals].forEach((one) => one.disconnect()) };
}

/** The identity provider's key set by this configuration; not fetched yet. */
export const keySetOf = (config: Config, logger: Logger): KeySet =>
  new KeySet({
    url: config.AUTH_JWKS_URL,
    algorithms: config.AUTH_ALGORITHMS,
    maxAgeS: config.AUTH_JWKS_MAX_AGE_S,
    staleS: config.AUTH_JWKS_STALE_S,
    logger,
  });

/** Requirements of a valid token by this configuration. */
export const tokenSettingsOf = (config: Config) => ({
  issuer: config.AUTH_ISSUER,
  audience: config.AUTH_AUDIENCE,
  algorithms: config.AUTH_ALGORITHMS,
  maxLifetimeS: config.AUTH_MAX_TOKEN_LIFETIME_S,
  claims: {
    sub: config.AUTH_CLAIM_SUB,
    email: config.AUTH_CLAIM_EMAIL,
    name: config.AUTH_CLAIM_NAME,
    role: config.AUTH_CLAIM_ROLE,
    vendorCode: config.AUTH_CLAIM_VENDOR_CODE,
    locale: config.AUTH_CLAIM_LOCALE,
  },
});

const MIB = 1024 * 1024;
/** In a shorter window a client that pauses for a moment would count as slow. */
const EXPORT_RATE_WINDOW_MS = 30_000;
/** Far shorter than the time of a request, because an upload reserves memory that others need. */
const UPLOAD_RATE_WINDOW_MS = 10_000;
const SMALL_BODY_MS = 30_000;

/** Limits on exports and uploads by this configuration. */
export const admissionLimitsOf = (config: Config): AdmissionLimits => ({
  exportsPerUser: config.EXPORTS_OPEN_PER_USER,
  exportsPerGateway: config.EXPORTS_OPEN_PER_GATEWAY,
  exportDeadlineMs: config.EXPORT_DEADLINE_S * 1000,
  exportMinBytesPerSecond: config.EXPORT_MIN_BYTES_PER_SECOND,
  exportRateWindowMs: EXPORT_RATE_WINDOW_MS,
  smallBodyMs: SMALL_BODY_MS,
  uploadsPerUser: config.UPLOADS_OPEN_PER_USER,
  uploadMinBytesPerSecond: config.UPLOAD_MIN_BYTES_PER_SECOND,
  uploadRateWindowMs: UPLOAD_RATE_WINDOW_MS,
  uploadBytesPerGateway: config.UPLOAD_MEMORY_MIB * MIB,
});
