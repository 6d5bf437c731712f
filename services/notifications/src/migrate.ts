import { migrate } from '@po/database';
import { createLogger } from '@po/platform';
import { readMigrationConfig } from './config.js';
import { MIGRATIONS } from './migrations/migrations.js';

const config = readMigrationConfig();
const logger = createLogger('notifications-migrations', config.LOG_LEVEL);
try {
  await migrate(config.DATABASE_URL_MIGRATIONS, MIGRATIONS, logger);
} catch (error) {
  logger.fatal({ err: error }, 'the migrations failed');
  process.exitCode = 1;
}
