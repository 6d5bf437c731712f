import { OutboxRelay, RELAY_STOP_TIMEOUT_MS, runKafkaService } from '@po/messaging';
import type { Service } from '@po/platform';
import { AppModule } from './app.module.js';
import type { Config } from './config.js';
import { Databases } from './store/databases.js';
import { AdoptedReminderSettings } from './store/adopted-reminder-settings.js';
import { purgesOf } from './idempotency/purges.js';
import { OrderSettings } from './orders/order-settings.js';
import { republishOrder } from './republish/republish-order.js';
import { reminderSettingsOf } from './reminders/reminder-settings.js';
import { ReminderScheduler } from './reminders/reminder-scheduler.js';
import { reminderRecomputation } from './reminders/recompute-reminders.js';
import { subscriptions } from './subscriptions.js';

/** Runs the service until a signal. Resolves when it listens; rejects only for errors that waiting cannot resolve. */
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
      republish: (poNumber) => republishOrder(databases, poNumber),
    });
    const reminders = new AdoptedReminderSettings(databases, reminderSettingsOf(config));
    const scheduler = new ReminderScheduler({ databases, reminders, logger, onCreated: () => relay.wake() });
    const jobs = [...purgesOf(databases, logger), reminderRecomputation(databases, reminders, logger)];
    const settings = new OrderSettings(config.COMMENT_REQUIRED_ACTIONS, reminders.settings.calendar);
    return {
      module: AppModule.register({ databases, relay, settings, reminders }),
      dependencies: {
        PostgreSQL: () => databases.connect(),
        schema: () => databases.requireSchema(),
        'settings of reminders': () => reminders.adopt({ starting: true }),
      },
      begin: () => {
        relay.start();
        scheduler.start();
        for (const job of jobs) job.start();
      },
      drain: [
        { name: 'reminders', run: () => scheduler.stop() },
        { name: 'outbox relay', run: () => relay.stop(), timeoutMs: RELAY_STOP_TIMEOUT_MS },
        { name: 'batch jobs', run: () => Promise.all(jobs.map((job) => job.stop())) },
        { name: 'databases', run: () => databases.close() },
      ],
    };
  });
}
