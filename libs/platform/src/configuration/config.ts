import { createPrivateKey, createPublicKey } from 'node:crypto';
import { createRequire } from 'node:module';
import { isIPv6 } from 'node:net';
import { z } from 'zod';
import { otlpEndpoint, otlpHeaders, resourceAttributes, samplerArgument, tracesSampler } from './otlp-settings.js';
import { type Rule, withCrossFieldRules } from './cross-field-rules.js';
import { certificateFile, keyFile, passwordFile, tlsRules } from './tls-settings.js';

/** EX_CONFIG of sysexits.h, so that an orchestrator can distinguish a bad configuration from a crash. */
const EXIT_BAD_CONFIGURATION = 78;

const UNVERIFIED =
  'NODE_TLS_REJECT_UNAUTHORIZED: must not be 0, because any certificate would be accepted; trust a CA by NODE_EXTRA_CA_CERTS';

/** Declares an environment variable: schema, meaning, and an example that is shown for an invalid value: its default unless given. */
export function setting<S extends z.ZodDefault>(schema: S, meaning: string): S;
export function setting<S extends z.ZodType>(schema: S, meaning: string, example: string): S;
export function setting(schema: z.ZodType, meaning: string, example = String(schema.parse(undefined))): z.ZodType {
  return schema.meta({ description: meaning, example });
}

export const port = z.coerce.number().int().min(0).max(65535);
export const positiveInteger = z.coerce.number().int().min(1);
export const nonNegativeInteger = z.coerce.number().int().min(0);
/** Off if absent. */
export const flag = z
  .enum(['true', 'false'])
  .default('false')
  .transform((value) => value === 'true');
export const commaList = z
  .string()
  .transform((value) =>
    value
      .split(',')
      .map((item) => item.trim())
      .filter(Boolean),
  )
  .pipe(z.array(z.string()).min(1));
const json = z.string().transform((value, context) => {
  try {
    return JSON.parse(value) as unknown;
  } catch {
    context.addIssue({ code: 'custom', message: 'must be JSON' });
    return z.NEVER;
  }
});

function isBroker(text: string): boolean {
  const [, address, name, port] = /^(?:\[([\da-f:.]+)\]|([\w.-]+)):(\d+)$/i.exec(text) ?? [];
  return (name !== undefined || isIPv6(address ?? '')) && Number(port) >= 1 && Number(port) <= 65535;
}

const brokerList = commaList.pipe(
  z.array(
    z.string().refine(isBroker, {
      error:
        'must be host:port pairs separated by commas: a name, an IPv4 address or an IPv6 address in brackets, and a port from 1 to 65535',
    }),
  ),
);

/** Connection settings of every service, job and command that uses Kafka. */
export const kafkaSettings = {
  KAFKA_BROKERS: setting(brokerList, 'Kafka bootstrap brokers, host:port separated by commas', '127.0.0.1:9092'),
  KAFKA_SSL: setting(flag, "TLS to Kafka; the names in the brokers' certificates are always verified", 'true'),
  KAFKA_SSL_CA_FILE: setting(
    certificateFile.optional(),
    "PEM file with the brokers' CA certificates, instead of Node's own; read for each connection",
    '/etc/po/kafka/ca.crt',
  ),
  KAFKA_SSL_CERT_FILE: setting(
    certificateFile.optional(),
    "PEM file with this client's certificate, for brokers that require one; read for each connection",
    '/etc/po/kafka/tls.crt',
  ),
  KAFKA_SSL_KEY_FILE: setting(
    keyFile.optional(),
    'PEM file with its private key, without a passphrase; read for each connection',
    '/etc/po/kafka/tls.key',
  ),
  KAFKA_SASL_MECHANISM: setting(
    z.enum(['plain', 'scram-sha-256', 'scram-sha-512']).optional(),
    'SASL mechanism; plain requires KAFKA_SSL, because it sends the password',
    'scram-sha-512',
  ),
  KAFKA_SASL_USERNAME: setting(z.string().optional(), 'SASL user', 'purchase-orders'),
  KAFKA_SASL_PASSWORD: setting(z.string().optional(), 'SASL password', '(from a secret)'),
  KAFKA_SASL_PASSWORD_FILE: setting(
    passwordFile.optional(),
    'file with the SASL password, with or without a final line break; read for each authentication',
    '/etc/po/kafka/password',
  ),
} as const;

/** Settings of every service. */
export const commonSettings = {
  ...kafkaSettings,
  KAFKA_GROUP_SUFFIX: setting(
    z
      .string()
      .regex(/^[A-Za-z0-9._-]{0,50}$/)
      .default(''),
    'suffix of every consumer group; a new suffix starts all consumers in new groups',
    '-replay1',
  ),
  LOG_LEVEL: setting(
    z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
    'least severe level that is logged',
  ),
  MANAGEMENT_PORT: setting(port.default(9464), 'port of /healthz, /readyz, /metrics and /version'),
  MANAGEMENT_HOST: setting(
    z.string().default('0.0.0.0'),
    'address the management port binds to; :: for IPv6',
    '127.0.0.1',
  ),
  INSTANCE_ID: setting(
    z
      .string()
      .regex(/^[A-Za-z0-9._-]{1,100}$/)
      .optional(),
    'unique name of this replica that survives a restart, such as the pod name; random if absent',
    'gateway-7d9f-x2x',
  ),
  DRAIN_DELAY_MS: setting(
    nonNegativeInteger.max(600_000).default(1000),
    'milliseconds between failing readiness and refusing work on SIGTERM',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(
    otlpEndpoint.optional(),
    'base URL of a trace collector (OTLP over HTTP); no traces if absent',
    'http://127.0.0.1:4318',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: setting(
    otlpHeaders.optional(),
    'headers of requests to the collector, name=value separated by commas',
    'authorization=(from a secret)',
  ),
  OTEL_TRACES_SAMPLER: setting(tracesSampler, 'which traces are kept', 'parentbased_traceidratio'),
  OTEL_TRACES_SAMPLER_ARG: setting(
    samplerArgument,
    'share of the traces that a ratio sampler keeps, from 0 to 1',
    '0.01',
  ),
  OTEL_RESOURCE_ATTRIBUTES: setting(
    resourceAttributes.optional(),
    'additional or overriding resource attributes of traces, key=value separated by commas',
    'deployment.environment.name=production',
  ),
} as const;

const isSet = (value: unknown): boolean => value !== undefined;

/** Cross-field rules of the Kafka settings. */
export const kafkaRules: readonly Rule[] = [
  ...tlsRules({
    tls: 'KAFKA_SSL',
    ca: 'KAFKA_SSL_CA_FILE',
    cert: 'KAFKA_SSL_CERT_FILE',
    key: 'KAFKA_SSL_KEY_FILE',
  }),
  {
    setting: 'KAFKA_SASL_MECHANISM',
    holds: (all) => all['KAFKA_SASL_MECHANISM'] !== 'plain' || all['KAFKA_SSL'] === true,
    error: 'plain needs KAFKA_SSL=true, because it sends the password in clear text',
  },
  ...['KAFKA_SASL_USERNAME', 'KAFKA_SASL_PASSWORD', 'KAFKA_SASL_PASSWORD_FILE'].map((setting): Rule => ({
    setting,
    holds: (all) => !isSet(all[setting]) || isSet(all['KAFKA_SASL_MECHANISM']),
    error: 'needs KAFKA_SASL_MECHANISM',
  })),
  {
    setting: 'KAFKA_SASL_USERNAME',
    holds: (all) => !isSet(all['KAFKA_SASL_MECHANISM']) || isSet(all['KAFKA_SASL_USERNAME']),
    error: 'needed with KAFKA_SASL_MECHANISM',
  },
  {
    setting: 'KAFKA_SASL_PASSWORD',
    holds: (all) =>
      !isSet(all['KAFKA_SASL_MECHANISM']) ||
      isSet(all['KAFKA_SASL_PASSWORD']) ||
      isSet(all['KAFKA_SASL_PASSWORD_FILE']),
    error: 'needed with KAFKA_SASL_MECHANISM, or else KAFKA_SASL_PASSWORD_FILE',
  },
  {
    setting: 'KAFKA_SASL_PASSWORD_FILE',
    holds: (all) => !isSet(all['KAFKA_SASL_PASSWORD']) || !isSet(all['KAFKA_SASL_PASSWORD_FILE']),
    error: 'must not be set together with KAFKA_SASL_PASSWORD: only one of them can be the password',
  },
];

/** Kafka settings of commands and jobs. */
export const readKafkaConfig = () => loadConfig(withCrossFieldRules(z.object(kafkaSettings), kafkaRules));

/** The version that the image was built with, or outside an image that of the root package.json. */
export function versionOf({ APP_VERSION }: NodeJS.ProcessEnv = process.env): string {
  return APP_VERSION || (createRequire(import.meta.url)('../../../../package.json') as { version: string }).version;
}

/** The version in logs, metrics and `/version`. */
export const VERSION = versionOf();

type Jwk = Record<string, unknown>;

const actorKey = (make: typeof createPrivateKey | typeof createPublicKey, error: string) =>
  z.record(z.string(), z.unknown()).refine((jwk) => jwk.kid && isEd25519(jwk, make), { error });

function isEd25519(jwk: Jwk, make: typeof createPrivateKey | typeof createPublicKey): boolean {
  try {
    return make({ key: jwk, format: 'jwk' }).asymmetricKeyType === 'ed25519';
  } catch {
    return false;
  }
}

/** Private key that signs the actor header. */
export const actorSigningKey = setting(
  json.pipe(actorKey(createPrivateKey, 'must be a private Ed25519 JWK with a kid')),
  "private Ed25519 JWK that signs the caller's identity for the services",
  '{"kty":"OKP","crv":"Ed25519","kid":"2026-11","x":"…","d":"(from a secret)"}',
);

/** Public keys that verify the actor header: a JWK Set, with two keys during a rotation. */
export const actorVerificationKeys = setting(
  json.pipe(
    z.object({ keys: z.array(actorKey(createPublicKey, 'must contain Ed25519 JWKs, each with a kid')).min(1) }),
  ),
  'JWK Set with the public Ed25519 keys of the gateway that signs the actor header',
  '{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"2026-11","x":"…"}]}',
);

/** All problems of a configuration: variable, error, meaning and an example each. */
export function configurationProblems(schema: z.ZodObject, error: z.ZodError): string[] {
  return error.issues.map((issue) => {
    const name = String(issue.path[0] ?? '');
    const field = schema.shape[name] as z.ZodType | undefined;
    const { description, example } = (field?.meta() ?? {}) as { description?: string; example?: string };
    return `${name}: ${issue.message}${description ? ` — ${description}` : ''}${example ? `; for example ${name}=${example}` : ''}`;
  });
}

/** The value without surrounding white space, which templates and Secrets often add; of a password, only without a final line break. */
const trimmed = (name: string, value = ''): string =>
  name.endsWith('_PASSWORD') ? value.replace(/\r?\n$/, '') : value.trim();

const isNumeric = (field: unknown): boolean =>
  field instanceof z.ZodNumber ||
  ((field instanceof z.ZodDefault || field instanceof z.ZodOptional) && isNumeric(field.unwrap()));

/**
 * Parses the environment with a schema. A variable that is empty or only white space counts as absent. For a bad configuration, prints every
 * problem to stderr and exits with 78 before anything is opened.
 */
export function loadConfig<S extends z.ZodObject>(schema: S): z.infer<S> {
  const values = Object.entries(process.env).map(([name, value]) => [name, trimmed(name, value)] as const);
  const present: Record<string, unknown> = Object.fromEntries(values.filter(([, value]) => value !== ''));
  // Otherwise, 0x10 and 1e3 would also be numbers.
  for (const [name, value] of Object.entries(present))
    if (isNumeric(schema.shape[name]) && !/^-?\d*\.?\d+$/.test(String(value))) present[name] = Number.NaN;
  const parsed = schema.safeParse(present);
  const isUnverified = present['NODE_TLS_REJECT_UNAUTHORIZED'] === '0';
  if (parsed.success && !isUnverified) return parsed.data;
  const problems = parsed.error ? configurationProblems(schema, parsed.error) : [];
  if (isUnverified) problems.push(UNVERIFIED);
  process.stderr.write(
    `Bad configuration, ${problems.length} problem(s):\n${problems.map((line) => `  ${line}\n`).join('')}`,
  );
  process.exit(EXIT_BAD_CONFIGURATION);
}
