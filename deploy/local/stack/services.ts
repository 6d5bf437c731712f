import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { childEnvironment } from '../config.js';
import type { DatabaseService, DatabaseUrls } from '@po/testing/service-databases';
import { type Keys, publicPart } from './keys.js';
import { HOST } from '../processes/ports.js';
import type { Process } from '../processes/process.js';
import type { Processes } from '../processes/processes.js';
import { REPOSITORY } from '../repository.js';
import { PORTAL_CLIENT_ID } from './sign-in/portal-client.js';
import { SERVICE_NAMES, type ServiceName } from './stack-file.js';

/** Whether a service writes the log of this name, whichever replica. */
export const isServiceLog = (source: string): boolean =>
  Object.values<string>(SERVICE_NAMES).includes(source.replace(/-\d+$/, ''));

const HEAP_MB = 320;
// With V8's own choice of 64 MB hardly a young collection fits below the old generation's limit: each one is a full one then.
const YOUNG_MB = 32;
// And with its own choice for the old one, a few answers of half a megabyte are a full collection: it was two fifths of the CPU of writing
// large orders, and an eighth of that of an import.
const OLD_MB = 128;
/**
 * What Node is started with for every service.
 * @public The benchmark imports it from what is built.
 */
export const HEAP_OPTIONS = [
  `--max-old-space-size=${HEAP_MB}`,
  `--max-semi-space-size=${YOUNG_MB}`,
  `--initial-old-space-size=${OLD_MB}`,
];
const MAIL_SENDER = 'Purchase Orders <orders@demo.example>';
/** Who tries it out does not wait for two minutes. */
const MAIL_PACE = { MAIL_GROUP_SECONDS: '5', MAIL_RATE_PER_SECOND: '100' };
/** Draining takes a second and what is in flight; then it is killed. */
const STOP_MS = 5_000;

export interface ServiceSettings {
  kafkaBrokers: string;
  redisUrl: string;
  databases: DatabaseUrls;
  keys: Keys;
  jwksUrl: string;
  /** Of the mail server; null = no mail is sent. */
  smtpUrl: string | null;
  /** Where users find the portal. */
  publicUrl: string;
  issuer: string;
  audience: string;
  /** Further settings, of any service. */
  environment: Record<string, string>;
}

const entry = (service: ServiceName, file: 'main' | 'migrate', build = REPOSITORY) =>
  join(build, 'services', SERVICE_NAMES[service], 'dist', `${file}.js`);

/** Whether a build has the service: that of an older release may not. */
export const isBuilt = (service: ServiceName, build?: string): boolean => existsSync(entry(service, 'main', build));

/** What Node is called with to run a service; `build`: the root of the built checkout that it is of, this one's if absent. */
export const programOf = (service: ServiceName, build?: string): string[] => [
  ...HEAP_OPTIONS,
  entry(service, 'main', build),
];

interface Replica {
  /** Of a gateway. */
  http: number | null;
  management: number;
  /** A file; absent for the output of this process. */
  log?: string | undefined;
  build?: string | undefined;
  /** Settings of this service alone. */
  environment?: Record<string, string> | undefined;
}

/** Starts one replica of a service. */
export function startService(
  processes: Processes,
  service: ServiceName,
  settings: ServiceSettings,
  { http, management, log, build, environment = {} }: Replica,
): Process {
  return processes.start(service === 'gateway' ? 'gateway' : 'service', {
    name: service,
    command: process.execPath,
    args: programOf(service, build),
    env: childEnvironment({
      NODE_ENV: 'production',
      ...environmentOf(service, settings, { http, management }),
      ...environment,
    }),
    log,
    stopWithinMs: STOP_MS,
  });
}

/** The environment of one replica of a service. */
function environmentOf(
  service: ServiceName,
  settings: ServiceSettings,
  { http, management }: { http: number | null; management: number },
): Record<string, string> {
  return {
    ...settings.environment,
    KAFKA_BROKERS: settings.kafkaBrokers,
    // A replica that is started again has the same one: what it read is its own again at once.
    INSTANCE_ID: `${SERVICE_NAMES[service]}-${management}`,
    MANAGEMENT_HOST: HOST,
    MANAGEMENT_PORT: String(management),
    ...serviceEnvironment(service, settings, http),
  };
}

function serviceEnvironment(
  service: ServiceName,
  { databases, keys, redisUrl, jwksUrl, smtpUrl, publicUrl, issuer, audience }: ServiceSettings,
  http: number | null,
): Record<string, string> {
  const verification = { ACTOR_VERIFICATION_KEYS: JSON.stringify({ keys: [publicPart(keys.actor)] }) };
  switch (service) {
    case 'gateway':
      return {
        HOST,
        PORT: String(http),
        REDIS_URL: redisUrl,
        AUTH_JWKS_URL: jwksUrl,
        AUTH_ISSUER: issuer,
        AUTH_AUDIENCE: audience,
        ACTOR_SIGNING_KEY: JSON.stringify(keys.actor),
        DOCS: 'true',
      };
    case 'purchaseOrders':
      return {
        ...verification,
        DATABASE_URL_INTERNAL: databases.purchaseOrders.internal,
        DATABASE_URL_VENDOR: databases.purchaseOrders.vendor,
      };
    case 'notifications':
      return {
        ...verification,
        DATABASE_URL_INTERNAL: databases.notifications.internal,
        DATABASE_URL_USER: databases.notifications.user,
        REDIS_URL: redisUrl,
      };
    case 'dashboard':
      return { ...verification, REDIS_URL: redisUrl };
    case 'mail':
      return {
        ...verification,
        DATABASE_URL_INTERNAL: databases.mail.internal,
        ...(smtpUrl && { SMTP_URL: smtpUrl, MAIL_FROM: MAIL_SENDER, PUBLIC_URL: publicUrl, ...MAIL_PACE }),
      };
    default:
      return service satisfies never;
  }
}

/** The gateway's settings for the portal, by a provider that knows it; none where this build has no portal. */
export function portalEnvironment(authority: string, build = REPOSITORY): Record<string, string> {
  if (!existsSync(join(build, 'services/portal/dist/site/index.html'))) return {};
  return { PORTAL: 'true', PORTAL_OIDC_AUTHORITY: authority, PORTAL_OIDC_CLIENT_ID: PORTAL_CLIENT_ID };
}

/** Runs the migration jobs of the databases to their end. */
export async function migrateDatabases(processes: Processes, databases: DatabaseUrls): Promise<void> {
  const migrate = (service: DatabaseService) =>
    processes.run(process.execPath, [entry(service, 'migrate')], {
      env: childEnvironment({ DATABASE_URL_MIGRATIONS: databases[service].migrations }),
    });
  await Promise.all([migrate('purchaseOrders'), migrate('notifications'), migrate('mail')]);
}
