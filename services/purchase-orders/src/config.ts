import { CalendarDate, ChosenTimeZone, type ReminderRule, TimeOfDay } from '@po/contracts';
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
  setting,
  withCrossFieldRules,
  withPostgresTls,
} from '@po/platform';
import { z } from 'zod';
import { RULES, parseRepetition } from './domain/reminders/reminder-rules.js';
import { parseCommentRequirements } from './domain/workflow.js';

const { LOG_LEVEL } = commonSettings;

/** A string setting. `parse` throws an Error that says what is allowed. */
const parsed = <T>(byDefault: string, parse: (value: string) => T) =>
  z
    .string()
    .default(byDefault)
    .transform((value, context) => {
      try {
        return parse(value);
      } catch (error) {
        context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) });
        return z.NEVER;
      }
    });

const REMINDERS: Record<ReminderRule, string> = {
  REPLY_DUE: 'about a missing reply: first/interval/count in working days, or off',
  APPROVAL_DUE: 'about a missing approval: first/interval/count in working days, or off',
  EX_FACTORY_SOON: 'before the ex-factory date: first/interval/1 in days, or off',
  EX_FACTORY_OVERDUE: 'after the ex-factory date until shipment: first/interval/count in days, or off',
  DELIVERY_DUE: 'about an unconfirmed delivery: first/interval/count in days, or off',
};

const repetition = (rule: ReminderRule) => {
  const { byDefault } = RULES[rule];
  return setting(
    parsed(byDefault, (value) => parseRepetition(rule, value)),
    `reminders ${REMINDERS[rule]}`,
    byDefault,
  );
};

const reminderSettings = {
  REMINDER_REPLY_DUE: repetition('REPLY_DUE'),
  REMINDER_APPROVAL_DUE: repetition('APPROVAL_DUE'),
  REMINDER_EX_FACTORY_SOON: repetition('EX_FACTORY_SOON'),
  REMINDER_EX_FACTORY_OVERDUE: repetition('EX_FACTORY_OVERDUE'),
  REMINDER_DELIVERY_DUE: repetition('DELIVERY_DUE'),
  BUSINESS_HOLIDAYS: setting(
    parsed('', parseHolidays),
    'non-working days besides Saturdays and Sundays: dates separated by commas; keep those of the last 3 months',
    '2026-12-25,2027-01-01',
  ),
  BUSINESS_TIME_ZONE: setting(
    ChosenTimeZone.default('UTC'),
    'IANA time zone of working days and reminders',
    'Asia/Shanghai',
  ),
  REMIND_AT: setting(TimeOfDay.default('08:00'), 'time of day at which reminders are due, in BUSINESS_TIME_ZONE'),
} satisfies Record<`REMINDER_${ReminderRule}`, unknown> & Record<string, unknown>;

function parseHolidays(list: string): ReadonlySet<string> {
  const dates = list
    .split(',')
    .map((date) => date.trim())
    .filter(Boolean);
  const wrong = dates.find((date) => !CalendarDate.safeParse(date).success);
  if (wrong !== undefined)
    throw new Error(`"${wrong}" is not a date; allowed are dates YYYY-MM-DD separated by commas`);
  return new Set(dates.toSorted());
}

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
  DATABASE_POOL_SIZE: setting(positiveInteger.default(10), 'database connections for each of the two roles'),
  ACTOR_VERIFICATION_KEYS: actorVerificationKeys,
  COMMENT_REQUIRED_ACTIONS: setting(
    parsed('', parseCommentRequirements),
    'actions that need a comment: an action for every status, or action:status for one',
    'REJECT,CANCEL,RECALL:300',
  ),
  ...reminderSettings,
});

/** Schema of the service's environment; usable without starting the service. */
export const Settings = withCrossFieldRules(Variables, [
  ...kafkaRules,
  ...postgresRules('DATABASE_URL_INTERNAL', 'DATABASE_URL_VENDOR'),
]);

export const readConfig = () => withPostgresTls(loadConfig(Settings));
export type Config = ReturnType<typeof readConfig>;

const RepublishSettings = z.object({
  LOG_LEVEL,
  DATABASE_URL_INTERNAL: Settings.shape.DATABASE_URL_INTERNAL,
  ...postgresTlsSettings,
});

export const readRepublishConfig = () =>
  withPostgresTls(loadConfig(withCrossFieldRules(RepublishSettings, postgresRules('DATABASE_URL_INTERNAL'))));

/** Schema of the migration job's environment; usable without starting the job. */
export const MigrationSettings = migrationSettings(
  'database purchase_orders as role po_migrator, which owns the schema',
  'postgres://po_migrator:secret@127.0.0.1:5432/purchase_orders',
);

export const readMigrationConfig = () => withPostgresTls(loadConfig(MigrationSettings));
