import {
  actorVerificationKeys,
  certificateFile,
  commonSettings,
  kafkaRules,
  loadConfig,
  migrationSettings,
  passwordFile,
  positiveInteger,
  postgresRules,
  postgresTlsSettings,
  postgresUrl,
  setting,
  withCrossFieldRules,
  withPostgresTls,
} from '@po/platform';
import { z } from 'zod';
import { isLoopback, readMailbox, rsaKeyFile, smtpUrl } from './smtp-settings.js';

const publicUrl = z
  .string()
  .transform((text) => text.replace(/\/+$/, ''))
  .refine((text) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol) && !/[?#]/.test(text), {
    error: 'must be an http or https URL without a query',
  });

const Variables = z.object({
  ...commonSettings,
  DATABASE_URL_INTERNAL: setting(
    postgresUrl,
    'database mail, role mail_internal: waiting mails and refused addresses',
    'postgres://mail_internal:secret@db/mail',
  ),
  ...postgresTlsSettings,
  DATABASE_POOL_SIZE: setting(positiveInteger.default(10), 'connections to the database'),
  ACTOR_VERIFICATION_KEYS: actorVerificationKeys,
  SMTP_URL: setting(
    smtpUrl.optional(),
    'mail server, smtp (default port 587) or smtps (465), with its user; no mail is queued if absent',
    'smtp://orders@mail.example.com:587',
  ),
  SMTP_PASSWORD_FILE: setting(
    passwordFile.optional(),
    "file with the mail server's password, with or without a final line break; read for each connection",
    '/etc/po/smtp/password',
  ),
  SMTP_TLS: setting(
    z.enum(['required', 'opportunistic']).optional(),
    'TLS of an smtp URL: required (default, except to this machine) or opportunistic (any certificate)',
    'required',
  ),
  SMTP_TLS_CA_FILE: setting(
    certificateFile.optional(),
    "PEM file with the mail server's CA certificates, instead of Node's own; read for each connection",
    '/etc/po/smtp/ca.crt',
  ),
  MAIL_FROM: setting(
    z
      .string()
      .refine((text) => readMailbox(text) !== null, { error: 'must be an address, or a name and an <address>' })
      .optional(),
    'sender of every mail; needed with SMTP_URL',
    'Purchase Orders <orders@example.com>',
  ),
  DKIM_SELECTOR: setting(
    z
      .string()
      .regex(/^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/, { error: 'must be a DNS label' })
      .optional(),
    "DKIM selector (RFC 6376): DNS label of the public key, below _domainkey of MAIL_FROM's domain",
    'orders1',
  ),
  DKIM_KEY_FILE: setting(
    rsaKeyFile.optional(),
    'PEM file with the private RSA key for DKIM signatures; mails are not signed if absent; read for each connection',
    '/etc/po/smtp/dkim.key',
  ),
  MAIL_RATE_PER_SECOND: setting(
    z.coerce.number().positive().max(1_000).default(10),
    'maximum mails per second per replica',
  ),
  MAIL_GROUP_SECONDS: setting(
    positiveInteger.max(86_400).default(120),
    'seconds within which the notifications of a user are combined into one mail',
  ),
  PUBLIC_URL: setting(
    publicUrl.optional(),
    "the portal's public address, to which mails link; needed with SMTP_URL",
    'https://orders.example.com',
  ),
});

const isSet = (value: unknown): boolean => value !== undefined;
const urlIn = (all: Readonly<Record<string, unknown>>): URL | null => {
  const text = all['SMTP_URL'];
  return typeof text === 'string' && smtpUrl.safeParse(text).success ? new URL(text) : null;
};
const needsServer = (name: string) => ({
  setting: name,
  error: 'needs SMTP_URL',
  holds: (all: Readonly<Record<string, unknown>>) => !isSet(all[name]) || isSet(all['SMTP_URL']),
});

/** Environment of the service. Importing it starts nothing. */
export const Settings = withCrossFieldRules(Variables, [
  ...kafkaRules,
  ...postgresRules('DATABASE_URL_INTERNAL'),
  ...['MAIL_FROM', 'PUBLIC_URL'].map((name) => ({
    setting: name,
    error: 'needed with SMTP_URL',
    holds: (all: Readonly<Record<string, unknown>>) => isSet(all[name]) || !isSet(all['SMTP_URL']),
  })),
  ...['SMTP_PASSWORD_FILE', 'SMTP_TLS', 'SMTP_TLS_CA_FILE', 'DKIM_KEY_FILE'].map(needsServer),
  {
    setting: 'DKIM_SELECTOR',
    error: 'must be set together with DKIM_KEY_FILE',
    holds: (all) => isSet(all['DKIM_SELECTOR']) === isSet(all['DKIM_KEY_FILE']),
  },
  {
    setting: 'SMTP_PASSWORD_FILE',
    error: 'needed if SMTP_URL has a user, and only then',
    holds: (all) => !urlIn(all) || isSet(all['SMTP_PASSWORD_FILE']) === (urlIn(all)?.username !== ''),
  },
  {
    setting: 'SMTP_TLS',
    error: 'must be required with a password, which could otherwise be intercepted by removing TLS',
    holds: (all) => {
      const url = urlIn(all);
      return (
        !url?.username || all['SMTP_TLS'] !== 'opportunistic' || url.protocol === 'smtps:' || isLoopback(url.hostname)
      );
    },
  },
]);

/** Environment of the service. If it is invalid, reports every problem at once and exits with 78. */
export const readConfig = () => withPostgresTls(loadConfig(Settings));

export type Config = ReturnType<typeof readConfig>;

/** Environment of the migration job. Importing it starts nothing. */
export const MigrationSettings = migrationSettings(
  'database mail, role mail_migrator: owns the schema',
  'postgres://mail_migrator:secret@db/mail',
);

export const readMigrationConfig = () => withPostgresTls(loadConfig(MigrationSettings));
