import { GROUPS } from '@po/contracts';
import { KafkaRpcClient, runKafkaService } from '@po/messaging';
import type { Service } from '@po/platform';
import { Breaker, reportRedis } from '@po/redis';
import { AppModule } from './app.module.js';
import type { Config } from './config.js';
import { connectProjection } from './projection/connection.js';
import { Counters } from './projection/counters.js';
import { keysUnder } from './projection/keys.js';
import { Rebuilder } from './rebuilding/rebuilder.js';
import { subscriptions } from './subscriptions.js';

/** A caller waits 3 s: a hanging Redis must leave most of that for the order service. */
const REDIS_TIMEOUT_MS = 250;
const REDIS_BULK_TIMEOUT_MS = 5_000;
/** Shorter than the caller's timeout, so that an error still reaches the caller. */
const FALLBACK_DEADLINES = { query: 2_500, command: 2_500 };

/** Runs the service until a signal. Resolves when it listens; rejects only for errors that a retry cannot fix. */
export function start(service: Service<Config>): Promise<void> {
  const { config, logger, health, instanceId } = service;
  return runKafkaService(service, subscriptions(), (kafka) => {
    const purchaseOrders = new KafkaRpcClient({ kafka, logger, instanceId, health, deadlines: FALLBACK_DEADLINES });
    // Not a dependency: without Redis, the order service answers.
    const redis = connectProjection(config.REDIS_URL, logger, REDIS_TIMEOUT_MS);
    const keys = keysUnder();
    const counters = new Counters(redis, keys);
    const breaker = new Breaker();
    reportRedis(redis, breaker);
    const rebuilder = new Rebuilder({
      kafka,
      group: GROUPS.dashboardEvents + config.KAFKA_GROUP_SUFFIX,
      counters,
      redis,
      connect: () => connectProjection(config.REDIS_URL, logger, REDIS_BULK_TIMEOUT_MS),
      keys,
      breaker,
      logger,
    });
    return {
      module: AppModule.register({ counters, breaker, purchaseOrders }),
      begin: () => {
        rebuilder.start();
        return purchaseOrders.connect();
      },
      drain: [
        { name: 'rebuilder', run: () => rebuilder.stop() },
        { name: 'purchase-order client', run: () => purchaseOrders.close() },
        { name: 'Redis', run: () => redis.disconnect() },
      ],
    };
  });
}
