import { ChosenTimeZone, MAIL_MODES, type Preferences, TimeOfDay } from '@po/contracts';
import {
  actorVerificationKeys,
  commonSettings,
  kafkaRules,
  loadConfig,
  migrationSettings,
  positiveInteger,
  postgresRules,
  postgresTlsSettings,
  postgresUrl,
  redisRules,
  redisTlsSettings,
  redisUrl,
  setting,
  withCrossFieldRules,
  withPostgresTls,
  withRedisTls,
} from '@po/platform';
import { z } from 'zod';

// PostgreSQL cannot subtract an arbitrary number of days from now().
const days = positiveInteger.max(36_500);

const mailMode = z.enum(MAIL_MODES);

const Variables = z.object({
  ...commonSettings,
  DATABASE_URL_INTERNAL: setting(
    postgresUrl,
    'database notifications, role notifications_internal: fan-out, user directory, outbox',
    'postgres://notifications_internal:secret@db/notifications',
  ),
  DATABASE_URL_USER: setting(
    postgresUrl,
    "database notifications, role notifications_user: users' own requests, under row-level security",
    'postgres://notifications_user:secret@db/notifications',
  ),
  ...postgresTlsSettings,
  DATABASE_POOL_SIZE: setting(positiveInteger.default(10), 'database connections for each of the two roles'),
  REDIS_URL: setting(
    redisUrl,
    'Redis that signals changed inboxes to gateways; it may be empty or down at any time',
    'rediss://notifications:secret@redis:6379',
  ),
  ...redisTlsSettings,
  ACTOR_VERIFICATION_KEYS: actorVerificationKeys,
  RETENTION_READ_DAYS: setting(days.default(90), 'days after being read at which a notification is deleted'),
  RETENTION_UNREAD_DAYS: setting(
    days.default(365),
    'days after its creation at which a notification is deleted, read or not',
  ),
  USERS_FORGOTTEN_AFTER_DAYS: setting(
    days.default(60),
    'days after their last request at which a user gets no more notifications, until the next request',
  ),
  BUSINESS_TIME_ZONE: setting(
    ChosenTimeZone.default('UTC'),
    'IANA time zone of working days, and of users who have not chosen one',
    'Asia/Shanghai',
  ),
  MAIL_DEFAULT_TRANSITION: setting(
    mailMode.default('digest'),
    'when users get mail about transitions, unless they choose otherwise: now, digest or off',
  ),
  MAIL_DEFAULT_MESSAGE: setting(
    mailMode.default('now'),
    'when users get mail about messages, unless they choose otherwise: now, digest or off',
  ),
  MAIL_DEFAULT_REMINDER: setting(
    mailMode.default('now'),
    'when users get mail about reminders, unless they choose otherwise: now, digest or off',
  ),
  MAIL_DEFAULT_DIGEST_AT: setting(
    TimeOfDay.default('08:00'),
    'when users get the digest, unless they choose otherwise: HH:MM in their time zone',
  ),
});

/** Environment of the service. Importing it starts nothing. */
export const Settings = withCrossFieldRules(Variables, [
  ...kafkaRules,
  ...redisRules,
  ...postgresRules('DATABASE_URL_INTERNAL', 'DATABASE_URL_USER'),
]);

/** Environment of the service. If it is invalid, reports every problem at once and exits with 78. */
export const readConfig = () => withRedisTls(withPostgresTls(loadConfig(Settings)));

export type Config = ReturnType<typeof readConfig>;

/** Preferences of users who have chosen nothing. */
export const defaultsOf = (config: Config): Omit<Preferences, 'locale'> => ({
  timeZone: config.BUSINESS_TIME_ZONE,
  mail: {
    TRANSITION: config.MAIL_DEFAULT_TRANSITION,
    MESSAGE: config.MAIL_DEFAULT_MESSAGE,
    REMINDER: config.MAIL_DEFAULT_REMINDER,
  },
  digestAt: config.MAIL_DEFAULT_DIGEST_AT,
});

/** Environment of the migration job. Importing it starts nothing. */
export const MigrationSettings = migrationSettings(
  'database notifications, role notifications_migrator: owns the schema, bypasses row-level security',
  'postgres://notifications_migrator:secret@db/notifications',
);

export const readMigrationConfig = () => withPostgresTls(loadConfig(MigrationSettings));
