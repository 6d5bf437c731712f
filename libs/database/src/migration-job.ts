import { createLogger } from '@po/platform';
import { type Migration, migrate } from './migrations.js';

/** What the job reads from its environment. `DATABASE_URL_MIGRATIONS` is of the role that owns the schema. */
interface MigrationConfig {
  LOG_LEVEL: string;
  DATABASE_URL_MIGRATIONS: string;
}

/** A service's migration job as a process of its own: applies what is missing. A failure is logged and makes its exit code 1. */
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
