import { randomUUID } from 'node:crypto';
import { GROUPS } from '@po/contracts';
import { KafkaRpcClient, KafkaServer, connectKafka, serve } from '@po/messaging';
import { ActorVerifier, Health, type Logger, drainOnSignal, startManagement } from '@po/platform';
import { AppModule } from './app.module.js';
import { Availability } from './availability.js';
import type { Config } from './config.js';
import { Counters } from './projection/counters.js';
import { keysUnder } from './projection/keys.js';
import { Rebuilder } from './rebuilding/rebuilder.js';
import { connectRedis } from './redis.js';
import { subscriptions } from './subscriptions.js';

/** A caller waits 3 s: a Redis that hangs must leave most of that for asking the purchase-order service. */
const REDIS_TIMEOUT_MS = 250;
const REDIS_BULK_TIMEOUT_MS = 5_000;
/** Shorter than the caller's own patience, so that a refusal still reaches it. */
const FALLBACK_DEADLINES = { query: 2_500, command: 2_500 };

/** Runs the service until a signal. Resolves when it listens; rejects only for what waiting cannot cure. */
export async function start(service: string, config: Config, logger: Logger): Promise<void> {
  const { KAFKA_GROUP_SUFFIX: groupSuffix, REDIS_URL: redisUrl, INSTANCE_ID: instanceId = randomUUID() } = config;
  const health = new Health();
  const management = await startManagement({
    service,
    host: config.MANAGEMENT_HOST,
    port: config.MANAGEMENT_PORT,
    health,
    logger,
  });
  const kafka = connectKafka(config, service, logger);
  const actors = new ActorVerifier(config.ACTOR_VERIFICATION_KEYS);
  const server = new KafkaServer({ kafka, logger, groupSuffix, actors, health, ...subscriptions() });
  const purchaseOrders = new KafkaRpcClient({ kafka, logger, instanceId, health, deadlines: FALLBACK_DEADLINES });
  // Readiness does not wait for Redis: without it the purchase-order service is asked.
  const redis = connectRedis(redisUrl, logger, REDIS_TIMEOUT_MS);
  const keys = keysUnder();
  const counters = new Counters(redis, keys);
  const availability = new Availability();
  const rebuilder = new Rebuilder({
    kafka,
    group: GROUPS.dashboardEvents + groupSuffix,
    counters,
    redis,
    connect: () => connectRedis(redisUrl, logger, REDIS_BULK_TIMEOUT_MS),
    keys,
    availability,
    logger,
  });
  drainOnSignal({
    health,
    logger,
    drainDelayMs: config.DRAIN_DELAY_MS,
    steps: [
      { name: 'consumers', run: () => server.drain() },
      { name: 'rebuilder', run: () => rebuilder.stop() },
      { name: 'purchase-order client', run: () => purchaseOrders.close() },
      { name: 'Redis', run: () => Promise.resolve(redis.disconnect()) },
      { name: 'management port', run: () => management.close() },
    ],
  });
  rebuilder.start();
  await purchaseOrders.connect();
  await serve(AppModule.register({ counters, availability, purchaseOrders }), server, logger);
}
