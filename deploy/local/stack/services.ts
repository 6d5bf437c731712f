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

/** Whether the log with this name is that of a service, whichever replica. */
export const isServiceLog = (source: string): boolean =>
  Object.values<string>(SERVICE_NAMES).includes(source.replace(/-\d+$/, ''));

const HEAP_MB = 320;
// The larger it is, the more young collections no longer fit below the old-generation limit and become full ones: with 32 MB, PATCHes of
// 2,000-line orders took a tenth more CPU time, with 64 MB half as much again.
const YOUNG_MB = 16;
// With V8's default, a few responses of half a megabyte cause a full collection, which took two fifths of the CPU time of writing large
// orders and an eighth of that of an import.
const OLD_MB = 128;
/**
 * Node options of every service.
 * @public The benchmark imports it from the build output.
 */
export const HEAP_OPTIONS = [
  `--max-old-space-size=${HEAP_MB}`,
  `--max-semi-space-size=${YOUNG_MB}`,
  `--initial-old-space-size=${OLD_MB}`,
];
const MAIL_SENDER = 'Purchase Orders <orders@demo.example>';
/** Faster than the default of two minutes, for people who try the system. */
const MAIL_PACE = { MAIL_GROUP_SECONDS: '5', MAIL_RATE_PER_SECOND: '100' };
/** Limit of a drain, which takes a second plus the work in flight; then the process is killed. */
const STOP_MS = 5_000;

export interface ServiceSettings {
  kafkaBrokers: string;
  redisUrl: string;
  databases: DatabaseUrls;
  keys: Keys;
  jwksUrl: string;
  /** URL of the mail server; null if no mail is sent. */
  smtpUrl: string | null;
  /** URL of the portal for users. */
  publicUrl: string;
  issuer: string;
  audience: string;
  /** Further settings of all services. */
  environment: Record<string, string>;
}

const entry = (service: ServiceName, file: 'main' | 'migrate', build = REPOSITORY) =>
  join(build, 'services', SERVICE_NAMES[service], 'dist', `${file}.js`);

/** Whether a build contains the service; an older release may not. */
export const isBuilt = (service: ServiceName, build?: string): boolean => existsSync(entry(service, 'main', build));

/** Arguments of Node that run a service. `build`: root of the built checkout; this repository if absent. */
export const programOf = (service: ServiceName, build?: string): string[] => [
  ...HEAP_OPTIONS,
  entry(service, 'main', build),
];

interface Replica {
  /** HTTP port of a gateway; null for other services. */
  http: number | null;
  management: number;
  /** Log file; the output of this process if absent. */
  log?: string | undefined;
  build?: string | undefined;
  /** Further settings of this service only. */
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
    stopTimeoutMs: STOP_MS,
  });
}

/** Environment of one replica of a service. */
function environmentOf(
  service: ServiceName,
  settings: ServiceSettings,
  { http, management }: { http: number | null; management: number },
): Record<string, string> {
  return {
    ...settings.environment,
    KAFKA_BROKERS: settings.kafkaBrokers,
    // Stable across restarts, so that a restarted replica gets its partitions back immediately.
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

/** Portal settings of the gateway, for an identity provider with the portal's client; empty if the build has no portal. */
export function portalEnvironment(authority: string, build = REPOSITORY): Record<string, string> {
  if (!existsSync(join(build, 'services/portal/dist/site/index.html'))) return {};
  return { PORTAL: 'true', PORTAL_OIDC_AUTHORITY: authority, PORTAL_OIDC_CLIENT_ID: PORTAL_CLIENT_ID };
}

/** Runs the migration jobs of all databases. */
export async function migrateDatabases(processes: Processes, databases: DatabaseUrls): Promise<void> {
  const migrate = (service: DatabaseService) =>
    processes.run(process.execPath, [entry(service, 'migrate')], {
      env: childEnvironment({ DATABASE_URL_MIGRATIONS: databases[service].migrations }),
    });
  await Promise.all([migrate('purchaseOrders'), migrate('notifications'), migrate('mail')]);
}
