import { runMigrationJob } from '@po/database';
import { readMigrationConfig } from './config.js';
import { MIGRATIONS } from './migrations/migrations.js';

await runMigrationJob('mail', readMigrationConfig(), MIGRATIONS);
