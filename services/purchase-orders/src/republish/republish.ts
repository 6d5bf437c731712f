import 'reflect-metadata';
import { Database } from '@po/database';
import { createLogger } from '@po/platform';
import { readRepublishConfig } from '../config.js';
import { parseArguments, republishOrders } from './republish-orders.js';

// The republish job: `node republish.js <poRef>… | --all | --restored`. Only --restored changes more than the outbox: it raises versions
// first. The running service publishes.
const { LOG_LEVEL, DATABASE_URL_INTERNAL } = readRepublishConfig();
const logger = createLogger('purchase-orders-republish', LOG_LEVEL);
const database = new Database({ url: DATABASE_URL_INTERNAL, name: 'purchase-orders-republish', poolSize: 2, logger });
try {
  const { selection, ...raised } = parseArguments(process.argv.slice(2), Date.now());
  await database.connect();
  const { republished, unknown, failed } = await republishOrders(database, selection, { logger, ...raised });
  logger.info({ republished }, 'the orders are in the outbox; the relay publishes them in order');
  if (unknown.length > 0) logger.error({ unknown }, 'unknown orders');
  if (failed.length > 0) logger.error({ failed }, 'orders that could not be written');
  if (unknown.length + failed.length > 0) process.exitCode = 1;
} catch (error) {
  logger.fatal({ err: error }, 'the orders could not be republished');
  process.exitCode = 1;
} finally {
  await database.close();
}
