import { Database, requireMigrations } from '@po/database';
import { type KafkaPort, KafkaRpcClient, runKafkaService } from '@po/messaging';
import type { Service } from '@po/platform';
import { AppModule } from './app.module.js';
import type { Config } from './config.js';
import { observeQueue } from './delivery/metrics.js';
import { readMarksFrom } from './delivery/read-marks.js';
import { purgesOf } from './delivery/purges.js';
import { Sender } from './delivery/sender.js';
import { readMailbox } from './smtp-settings.js';
import { Suppressions } from './delivery/suppressions.js';
import { MIGRATIONS } from './migrations/migrations.js';
import { Grouping } from './queue/queue.service.js';
import { subscriptions } from './subscriptions.js';
import { UnsubscribeTokens } from './unsubscribe/tokens.js';

/** Runs the service until a signal. Resolves when it listens; rejects only for errors that a retry cannot fix. */
export function start(service: Service<Config>): Promise<void> {
  const { config, logger } = service;
  const { DATABASE_POOL_SIZE: poolSize, DATABASE_URL_INTERNAL: url } = config;
  return runKafkaService(service, subscriptions(poolSize), (kafka) => {
    const database = new Database({ url, name: 'mail-internal', poolSize, logger });
    const suppressions = new Suppressions(database);
    const tokens = new UnsubscribeTokens(database);
    const delivery = deliveryOf(service, { kafka, database, suppressions, tokens });
    const purges = purgesOf(database, logger);
    const stopped = new AbortController();
    return {
      module: AppModule.register({
        database,
        grouping: new Grouping(delivery === null ? null : config.MAIL_GROUP_SECONDS),
        suppressions,
        tokens,
      }),
      dependencies: {
        PostgreSQL: () => database.connect(),
        schema: () => requireMigrations(database, MIGRATIONS),
      },
      begin: async () => {
        if (delivery) void observeQueue(database, logger, stopped.signal);
        for (const purge of purges) purge.start();
        await delivery?.start();
      },
      drain: [
        { name: 'sender', run: () => delivery?.stop(), timeoutMs: 15_000 },
        { name: 'purges', run: () => Promise.all(purges.map((purge) => purge.stop())) },
        {
          name: 'database',
          run: () => {
            stopped.abort();
            return database.close();
          },
        },
      ],
    };
  });
}

interface Parts {
  kafka: KafkaPort;
  database: Database;
  suppressions: Suppressions;
  tokens: UnsubscribeTokens;
}

/** The mail delivery; null without a mail server. */
function deliveryOf({ config, logger, instanceId, health }: Service<Config>, { kafka, ...parts }: Parts) {
  const { SMTP_URL, MAIL_FROM = '', PUBLIC_URL: publicUrl = '', MAIL_RATE_PER_SECOND: ratePerSecond } = config;
  const from = readMailbox(MAIL_FROM);
  if (SMTP_URL === undefined || from === null) return null;
  const client = new KafkaRpcClient({ kafka, logger, instanceId, health });
  const smtp = { ...config, SMTP_URL };
  const readMarks = readMarksFrom(client, logger);
  const sender = new Sender({ ...parts, readMarks, smtp, from, publicUrl, ratePerSecond, logger });
  return {
    start: async () => {
      await client.connect();
      sender.start();
    },
    stop: async () => {
      await sender.stop();
      await client.close();
    },
  };
}
