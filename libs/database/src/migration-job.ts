import { createLogger } from '@po/platform';
import { type Migration, migrate } from './migrations.js';

/** Environment of the job. `DATABASE_URL_MIGRATIONS` connects as the role that owns the schema. */
interface MigrationConfig {
  LOG_LEVEL: string;
  DATABASE_URL_MIGRATIONS: string;
}

/** Runs a service's migration job as its own process: applies missing migrations. Logs a failure and sets exit code 1. */
export async function runMigrationJob(
  service: string,
  { LOG_LEVEL, DATABASE_URL_MIGRATIONS }: MigrationConfig,
  migrations: Migration[],
): Promise<void> {
  const logger = createLogger(`${service}-migrations`, LOG_LEVEL);
  try {
    await migrate(DATABASE_URL_MIGRATIONS, migrations, logger);
  } catch (error) {
    logger.fatal({ err: error }, 'migrations failed');
    process.exitCode = 1;
  }
}
