import { OutboxRelay, RELAY_STOPS_WITHIN_MS, runKafkaService } from '@po/messaging';
import type { Service } from '@po/platform';
import { AppModule } from './app.module.js';
import { CommentRules } from './domain/workflow.js';
import type { Config } from './config.js';
import { Databases } from './store/databases.js';
import { expiry } from './idempotency/expiry.js';
import { restateOrders } from './republish/restate-orders.js';
import { searchBacklog } from './lists/search-backlog.js';
import { subscriptions } from './subscriptions.js';

/** Runs the service until a signal. Resolves when it listens; rejects only for what waiting cannot cure. */
export function start(service: Service<Config>): Promise<void> {
  const { config, logger, instanceId } = service;
  const { DATABASE_POOL_SIZE: poolSize, DATABASE_URL_INTERNAL: internalUrl, DATABASE_URL_VENDOR: vendorUrl } = config;
  return runKafkaService(service, subscriptions(poolSize), (kafka) => {
    const databases = new Databases({ internalUrl, vendorUrl, poolSize, logger });
    const relay = new OutboxRelay({
      pool: () => databases.internal.connectionPool,
      kafka,
      logger,
      instanceId,
      restate: (poNumbers) => restateOrders(databases, poNumbers),
    });
    const purges = [...expiry(databases, logger), searchBacklog(databases, logger)];
    const rules = new CommentRules(config.COMMENT_REQUIRED_ACTIONS);
    return {
      module: AppModule.register({ databases, relay, rules }),
      dependencies: { PostgreSQL: () => databases.connect(), schema: () => databases.requireSchema() },
      begin: () => {
        relay.start();
        for (const purge of purges) purge.start();
      },
      drain: [
        { name: 'outbox relay', run: () => relay.stop(), withinMs: RELAY_STOPS_WITHIN_MS },
        { name: 'purges', run: () => Promise.all(purges.map((purge) => purge.stop())) },
        { name: 'databases', run: () => databases.close() },
      ],
    };
  });
}
