import { OutboxRelay, RELAY_STOP_TIMEOUT_MS, runKafkaService } from '@po/messaging';
import type { Service } from '@po/platform';
import { reportRedis } from '@po/redis';
import { AppModule } from './app.module.js';
import { type Config, defaultsOf } from './config.js';
import { UserRetention } from './store/user-directory.js';
import { connectInboxSignals } from './inbox/inbox-signals.js';
import { DefaultPreferences } from './preferences/default-preferences.js';
import { purgesOf } from './retention/purges.js';
import { Databases } from './store/databases.js';
import { subscriptions } from './subscriptions.js';

/** Runs the service until a signal. Resolves when it listens; rejects only for errors that a retry cannot fix. */
export function start(service: Service<Config>): Promise<void> {
  const { config, logger, instanceId } = service;
  const { DATABASE_POOL_SIZE: poolSize, DATABASE_URL_INTERNAL: internalUrl, DATABASE_URL_USER: userUrl } = config;
  return runKafkaService(service, subscriptions(poolSize), (kafka) => {
    const databases = new Databases({ internalUrl, userUrl, poolSize, logger });
    const relay = new OutboxRelay({ pool: () => databases.internal.connectionPool, kafka, logger, instanceId });
    // Not a dependency: without Redis, live streams are only late.
    const { signals, redis, close } = connectInboxSignals(config.REDIS_URL, logger);
    reportRedis(redis, signals.breaker);
    const purges = purgesOf(
      databases,
      { read: config.RETENTION_READ_DAYS, unread: config.RETENTION_UNREAD_DAYS },
      logger,
    );
    return {
      module: AppModule.register({
        databases,
        relay,
        signals,
        userRetention: new UserRetention(config.USERS_FORGOTTEN_AFTER_DAYS),
        defaults: new DefaultPreferences(defaultsOf(config)),
      }),
      dependencies: { PostgreSQL: () => databases.connect(), schema: () => databases.requireSchema() },
      begin: () => {
        relay.start();
        for (const purge of purges) purge.start();
      },
      drain: [
        { name: 'outbox relay', run: () => relay.stop(), timeoutMs: RELAY_STOP_TIMEOUT_MS },
        { name: 'purges', run: () => Promise.all(purges.map((purge) => purge.stop())) },
        { name: 'databases', run: () => databases.close() },
        { name: 'Redis', run: close },
      ],
    };
  });
}
