import { migrate } from '@po/database';
import { createLogger } from '@po/platform';
import { readMigrationConfig } from './config.js';
import { MIGRATIONS } from './migrations/migrations.js';

const { LOG_LEVEL, DATABASE_URL_MIGRATIONS } = readMigrationConfig();
const logger = createLogger('purchase-orders-migrations', LOG_LEVEL);
try {
  await migrate(DATABASE_URL_MIGRATIONS, MIGRATIONS, logger);
} catch (error) {
  logger.fatal({ err: error }, 'the migrations could not be applied');
  process.exitCode = 1;
}
