import { isIPv6 } from 'node:net';
import { z } from 'zod';
import { setting } from './config.js';
import type { Rule } from './cross-field-rules.js';
import type { TlsFiles } from '../tls/tls-files.js';
import { certificateFile, keyFile, tlsRules } from './tls-settings.js';
import { percentDecoded } from './percent-encoding.js';

interface RedisAddress {
  host: string;
  port: number;
}

interface Login {
  username?: string | undefined;
  password?: string | undefined;
}

/** Address, login and TLS configuration of a Redis. */
export type RedisServer = Login & {
  /** TLS to the hosts of the URL and to the servers that they refer to. */
  tls: boolean;
  files: TlsFiles;
} & (
    | { kind: 'alone'; address: RedisAddress; db: number }
    /** Sentinels return the address of the primary called `name`. `sentinel`: login to the sentinels. */
    | { kind: 'sentinel'; addresses: RedisAddress[]; name: string; db: number; sentinel: Login }
    | { kind: 'cluster'; addresses: RedisAddress[] }
  );

const FORM = /^redis(s?)(?:\+(sentinel|cluster))?:\/\/(?:([^@/?#]*)@)?([^@/?#]+)(?:\/([^?#]*))?(?:\?([^#]*))?$/;
const FORMS =
  'must be redis://[user:password@]host[:port][/database], redis+sentinel://[user:password@]host[:port],host[:port]/name[/database], ' +
  'or redis+cluster://[user:password@]host[:port],host[:port]; rediss, rediss+sentinel and rediss+cluster use TLS; ' +
  'reserved characters in the user and password must be percent-encoded';
const FILES = { ca: certificateFile, cert: certificateFile, key: keyFile } as const;
const FILE_NAMES = Object.keys(FILES) as (keyof typeof FILES)[];
const OF_SENTINELS = ['sentinelUsername', 'sentinelPassword'];
const SETTINGS = { ca: 'REDIS_TLS_CA_FILE', cert: 'REDIS_TLS_CERT_FILE', key: 'REDIS_TLS_KEY_FILE' } as const;

/** Parses a Redis URL. The error lists the allowed forms and contains no part of the URL, because the URL has a password. */
export function parseRedisUrl(text: string): RedisServer {
  const [, secure, kind, login, hosts = '', path, query = ''] = FORM.exec(text) ?? refuse(FORMS);
  const parameters = new URLSearchParams(query);
  const allowed: string[] = [...(kind === 'sentinel' ? OF_SENTINELS : []), ...(secure ? FILE_NAMES : [])];
  const unknown = [...new Set(parameters.keys())].filter((name) => !allowed.includes(name));
  if (unknown.length > 0) {
    refuse(
      `must not have the parameter ${unknown.join(', ')}: ${allowed.length > 0 ? `such a URL allows only ${allowed.join(', ')}` : 'such a URL allows none'}`,
    );
  }
  // The first that is not empty: the settings are appended even if the URL has an empty one.
  const valueOf = (name: string) => parameters.getAll(name).find(Boolean);
  const server = {
    ...loginIn(login),
    tls: secure === 's',
    files: { ca: valueOf('ca'), cert: valueOf('cert'), key: valueOf('key') },
  };
  const parts = path ? path.split('/') : [];
  if (kind === 'cluster') {
    if (parts.length > 0) refuse('must not name a database: a cluster has only database 0');
    return { ...server, kind, addresses: addressesIn(hosts, 6379) };
  }
  if (kind === 'sentinel') {
    const [name, ...rest] = parts;
    const sentinel = { username: valueOf('sentinelUsername'), password: valueOf('sentinelPassword') };
    if (!name) return refuse('must name the primary that the sentinels watch: redis+sentinel://host,host/name');
    return {
      ...server,
      kind,
      addresses: addressesIn(hosts, 26379),
      name: decoded(name),
      db: databaseIn(rest),
      sentinel,
    };
  }
  const [address, ...others] = addressesIn(hosts, 6379);
  if (!address || others.length > 0)
    refuse('must name one host; only redis+sentinel:// and redis+cluster:// allow several');
  return { ...server, kind: 'alone', address: address as RedisAddress, db: databaseIn(parts) };
}

function refuse(reason: string): never {
  throw new Error(reason);
}

const decoded = (text: string): string =>
  percentDecoded(text) ?? refuse('must have % only before two hexadecimal digits: percent-encode it as %25');

function loginIn(text: string | undefined): Login {
  if (!text) return {};
  const [, user = '', password] = /^([^:]*)(?::(.*))?$/.exec(text) ?? [];
  if (!password) refuse('must have a password after its user: user:password@, or :password@ for the user "default"');
  return { username: decoded(user) || undefined, password: decoded(password ?? '') };
}

function addressesIn(hosts: string, defaultPort: number): RedisAddress[] {
  return hosts.split(',').map((text) => {
    const [, address, name, port = String(defaultPort)] =
      /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::(\d+))?$/i.exec(text) ?? [];
    const host = address ?? name;
    if (!host || (address && !isIPv6(address)) || Number(port) < 1 || Number(port) > 65535) {
      return refuse(
        'must have a name, an IPv4 address or an IPv6 address in brackets, and a port from 1 to 65535 if any, for each host',
      );
    }
    return { host, port: Number(port) };
  });
}

function databaseIn(parts: string[]): number {
  const [db = '0', ...more] = parts;
  if (more.length > 0 || !/^\d{1,5}$/.test(db || '0')) refuse('must end with the number of the database, if any');
  return Number(db);
}

/** Redis URL of a service. */
export const redisUrl = z.string().superRefine((text, context) => {
  const problem = (message: string) => context.addIssue({ code: 'custom', message });
  try {
    const { files } = parseRedisUrl(text);
    for (const name of FILE_NAMES) {
      const wrong = files[name] && FILES[name].safeParse(files[name]).error;
      if (wrong) problem(`${name} ${wrong.issues[0]?.message}`);
    }
  } catch (error) {
    problem((error as Error).message);
  }
});

/** TLS settings for a rediss:// URL without its own file parameters. */
export const redisTlsSettings = {
  REDIS_TLS_CA_FILE: setting(
    certificateFile.optional(),
    "PEM file with Redis's CA certificates, instead of Node's own; read for each connection",
    '/etc/po/redis/ca.crt',
  ),
  REDIS_TLS_CERT_FILE: setting(
    certificateFile.optional(),
    "PEM file with this client's certificate, for a server that requires one; read for each connection",
    '/etc/po/redis/tls.crt',
  ),
  REDIS_TLS_KEY_FILE: setting(
    keyFile.optional(),
    'PEM file with its private key, without a passphrase; read for each connection',
    '/etc/po/redis/tls.key',
  ),
} as const;

/** Cross-field rules of the Redis settings. */
export const redisRules: readonly Rule[] = [
  ...tlsRules({ tls: null, ca: SETTINGS.ca, cert: SETTINGS.cert, key: SETTINGS.key }),
  {
    setting: 'REDIS_URL',
    error: 'must begin with rediss, with two s, because certificates are configured for it',
    holds: (all) =>
      !/^redis[:+]/.test(String(all['REDIS_URL'])) || Object.values(SETTINGS).every((name) => all[name] === undefined),
  },
  {
    setting: 'REDIS_URL',
    error: 'needs both cert and key, or neither',
    holds: (all) => {
      const url = all['REDIS_URL'];
      if (typeof url !== 'string' || !redisUrl.safeParse(url).success) return true;
      const { cert, key } = parseRedisUrl(url).files;
      return !cert === !key;
    },
  },
];

/** Returns the configuration with all TLS settings written into its URL. */
export function withRedisTls<C extends { REDIS_URL: string }>(config: C): C {
  const { tls, files } = parseRedisUrl(config.REDIS_URL);
  if (!tls) return config;
  const settings = config as Record<string, unknown>;
  const missing = FILE_NAMES.filter((name) => !files[name] && settings[SETTINGS[name]] !== undefined);
  if (missing.length === 0) return config;
  const parameters = missing.map((name) => `${name}=${encodeURIComponent(String(settings[SETTINGS[name]]))}`).join('&');
  return { ...config, REDIS_URL: `${config.REDIS_URL}${config.REDIS_URL.includes('?') ? '&' : '?'}${parameters}` };
}
