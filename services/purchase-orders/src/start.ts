import { randomUUID } from 'node:crypto';
import { KafkaServer, OutboxRelay, connectKafka, serve } from '@po/messaging';
import { ActorVerifier, Health, type Logger, drainOnSignal, startManagement, waitForDependency } from '@po/platform';
import { AppModule } from './app.module.js';
import { CommentRules } from './orders/comment-rules.js';
import type { Config } from './config.js';
import { Databases } from './store/databases.js';
import { startExpiry } from './idempotency/expiry.js';
import { restateOrders } from './republish/restate-orders.js';
import { subscriptions } from './subscriptions.js';

/** Runs the service until a signal. Resolves when it listens; rejects only for what waiting cannot cure. */
export async function start(service: string, config: Config, logger: Logger): Promise<void> {
  const { KAFKA_GROUP_SUFFIX: groupSuffix, DATABASE_POOL_SIZE: poolSize, DRAIN_DELAY_MS: drainDelayMs } = config;
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
  const server = new KafkaServer({ kafka, logger, groupSuffix, actors, health, ...subscriptions(poolSize) });
  const databases = new Databases({
    internalUrl: config.DATABASE_URL_INTERNAL,
    vendorUrl: config.DATABASE_URL_VENDOR,
    poolSize,
    logger,
  });
  const relay = new OutboxRelay({
    pool: () => databases.internal.connectionPool,
    kafka,
    logger,
    instanceId: config.INSTANCE_ID ?? randomUUID(),
    restate: (poNumbers) => restateOrders(databases, poNumbers),
  });
  const expiry = startExpiry(databases, logger);
  drainOnSignal({
    health,
    logger,
    drainDelayMs,
    steps: [
      { name: 'consumers', run: () => server.drain() },
      { name: 'outbox relay', run: () => relay.stop() },
      { name: 'expiry', run: () => Promise.resolve(expiry.stop()) },
      { name: 'databases', run: () => databases.close() },
      { name: 'management port', run: () => management.close() },
    ],
  });
  await waitForDependency('PostgreSQL', () => databases.connect(), { health, logger });
  await waitForDependency('schema', () => databases.requireSchema(), { health, logger });
  relay.start();
  const rules = new CommentRules(config.COMMENT_REQUIRED_ACTIONS);
  await serve(AppModule.register({ databases, relay, rules }), server, logger);
}
