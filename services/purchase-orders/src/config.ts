import {
  actorVerificationKeys,
  commonSettings,
  kafkaRules,
  loadConfig,
  positiveInteger,
  postgresRules,
  postgresTlsSettings,
  postgresUrl,
  setting,
  withCrossFieldRules,
  withPostgresTls,
} from '@po/platform';
import { z } from 'zod';
import { parseCommentRequirements } from './domain/workflow.js';

const { LOG_LEVEL } = commonSettings;

const commentRequirements = z
  .string()
  .default('')
  .transform((value, context) => {
    try {
      return parseCommentRequirements(value);
    } catch (error) {
      context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) });
      return z.NEVER;
    }
  });

const Variables = z.object({
  ...commonSettings,
  DATABASE_URL_INTERNAL: setting(
    postgresUrl,
    'database purchase_orders as role po_internal, which sees every order',
    'postgres://po_internal:secret@127.0.0.1:5432/purchase_orders',
  ),
  DATABASE_URL_VENDOR: setting(
    postgresUrl,
    'database purchase_orders as role po_vendor, which sees the orders of one vendor at a time',
    'postgres://po_vendor:secret@127.0.0.1:5432/purchase_orders',
  ),
  ...postgresTlsSettings,
  DATABASE_POOL_SIZE: setting(positiveInteger.default(10), 'connections of each of the two roles', '10'),
  ACTOR_VERIFICATION_KEYS: actorVerificationKeys,
  COMMENT_REQUIRED_ACTIONS: setting(
    commentRequirements,
    'actions that need a comment, an action:status pair or an action in every status',
    'REJECT,CANCEL,RECALL:300',
  ),
});

/** The service's environment, readable without starting anything. */
export const Settings = withCrossFieldRules(Variables, [
  ...kafkaRules,
  ...postgresRules('DATABASE_URL_INTERNAL', 'DATABASE_URL_VENDOR'),
]);

/** What the service reads from its environment. */
export const readConfig = () => withPostgresTls(loadConfig(Settings));
export type Config = ReturnType<typeof readConfig>;

const RepublishSettings = z.object({
  LOG_LEVEL,
  DATABASE_URL_INTERNAL: Settings.shape.DATABASE_URL_INTERNAL,
  ...postgresTlsSettings,
});

/** What the republish job reads. */
export const readRepublishConfig = () =>
  withPostgresTls(loadConfig(withCrossFieldRules(RepublishSettings, postgresRules('DATABASE_URL_INTERNAL'))));

const MigrationVariables = z.object({
  LOG_LEVEL,
  DATABASE_URL_MIGRATIONS: setting(
    postgresUrl,
    'database purchase_orders as role po_migrator, which owns the schema',
    'postgres://po_migrator:secret@127.0.0.1:5432/purchase_orders',
  ),
  ...postgresTlsSettings,
});

/** The migration job's environment, readable without starting anything. */
export const MigrationSettings = withCrossFieldRules(MigrationVariables, postgresRules('DATABASE_URL_MIGRATIONS'));

/** What the migration job reads. */
export const readMigrationConfig = () => withPostgresTls(loadConfig(MigrationSettings));
