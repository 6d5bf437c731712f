import { z } from 'zod';
import { type Schema, object, propertyReference, reference } from './value-schemas.js';

/** Settings that the chart sets itself: ports used by probes and policies, the pod name, and settings with their own chart values. */
const OF_THE_CHART = new Set([
  'PORT',
  'MANAGEMENT_PORT',
  'INSTANCE_ID',
  'KAFKA_BROKERS',
  'KAFKA_SSL',
  'KAFKA_SSL_CA_FILE',
  'KAFKA_SSL_CERT_FILE',
  'KAFKA_SSL_KEY_FILE',
  'KAFKA_SASL_MECHANISM',
  'KAFKA_SASL_PASSWORD_FILE',
  'PGSSLMODE',
  'PGSSLROOTCERT',
  'PGSSLCERT',
  'PGSSLKEY',
  'REDIS_TLS_CA_FILE',
  'REDIS_TLS_CERT_FILE',
  'REDIS_TLS_KEY_FILE',
]);
const SECRET =
  /^(ACTOR_|DATABASE_URL_|REDIS_URL$|KAFKA_SASL_PASSWORD$|SMTP_PASSWORD_FILE$|DKIM_KEY_FILE$|OTEL_EXPORTER_OTLP_HEADERS$)/;
/** Allowed in `config`, or in `secrets` together with its password. */
const EITHER = 'KAFKA_SASL_USERNAME';

const isNeeded = (setting: z.ZodType): boolean => !setting.safeParse(undefined).success;

/**
 * Schema of the value `config`: the settings that are not secret, derived from their own schemas. Common settings refer to the
 * schema of the top-level `config`.
 */
export function configSchema(settings: Record<string, z.ZodType>, common: Record<string, z.ZodType> = {}): Schema {
  const plain = Object.entries(settings).filter(([name]) => !OF_THE_CHART.has(name) && !SECRET.test(name));
  return object(
    Object.fromEntries(
      plain.map(([name, setting]) => [
        name,
        name in common ? propertyReference(`config/properties/${name}`) : valueSchema(setting),
      ]),
    ),
    plain.filter(([, setting]) => isNeeded(setting)).map(([name]) => name),
  );
}

/** Schema of the value `secrets`: the Secret reference of each secret setting. */
export function secretsSchema(settings: Record<string, z.ZodType>): Schema {
  const secret = Object.entries(settings).filter(([name]) => SECRET.test(name) || name === EITHER);
  return object(
    Object.fromEntries(secret.map(([name]) => [name, reference('secretKey')])),
    secret.filter(([, setting]) => isNeeded(setting)).map(([name]) => name),
  );
}

/** Numeric settings are numbers; all others are strings with their pattern or enum. */
function valueSchema(setting: z.ZodType): Schema {
  const schemaOf = (io: 'input' | 'output') => z.toJSONSchema(setting, { io, unrepresentable: 'any' });
  // A number is only known after it is read from text, the choices of a flag only before it becomes a boolean.
  const read: z.core.JSONSchema.BaseSchema = { ...schemaOf('input'), ...schemaOf('output') };
  const { type, minimum, exclusiveMinimum, maximum, enum: choice } = read;
  const pattern = read.pattern ?? patternOf(read);
  const description = setting.meta()?.description;
  const shape =
    type === 'integer' || type === 'number'
      ? { type, minimum, exclusiveMinimum, maximum: maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum }
      : { type: 'string', minLength: isNeeded(setting) ? 1 : undefined, pattern, enum: choice };
  return { description, ...shape };
}

function patternOf({ format, items }: z.core.JSONSchema.BaseSchema): string | undefined {
  // Forbids a user and password, because the value is in the specification of the pods.
  if (format === 'uri') return '^https?://[^/?#@]+([/?#]|$)';
  if (typeof items !== 'object' || !('enum' in items) || !items.enum) return undefined;
  const one = `(${items.enum.join('|')})`;
  return `^ *${one}( *, *${one})* *$`;
}
