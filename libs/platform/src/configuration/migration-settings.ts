import { z } from 'zod';
import { commonSettings, setting } from './config.js';
import { withCrossFieldRules } from './cross-field-rules.js';
import { postgresRules, postgresTlsSettings, postgresUrl } from './postgres-url.js';

/** Settings of a service's migration job, without starting the job. `role`: description of the migrating role. `example`: of its URL. */
export const migrationSettings = (role: string, example: string) =>
  withCrossFieldRules(
    z.object({
      LOG_LEVEL: commonSettings.LOG_LEVEL,
      DATABASE_URL_MIGRATIONS: setting(postgresUrl, role, example),
      ...postgresTlsSettings,
    }),
    postgresRules('DATABASE_URL_MIGRATIONS'),
  );
