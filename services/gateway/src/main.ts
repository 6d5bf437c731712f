import 'reflect-metadata';
import { createLogger, startMetrics } from '@po/platform';
import { readConfig } from './config.js';
import { start } from './start.js';

const SERVICE = 'gateway';

const config = readConfig();
const logger = createLogger(SERVICE, config.LOG_LEVEL);
startMetrics(SERVICE);
try {
  await start(SERVICE, config, logger);
} catch (error) {
  logger.fatal({ err: error }, 'the service could not start');
  process.exit(1);
}
