import { z } from 'zod';
import { setting } from './config.js';
import type { Rule } from './cross-field-rules.js';
import type { TlsFiles } from '../tls/tls-files.js';
import { certificateFile, keyFile, tlsRules } from './tls-settings.js';
import { percentDecoded } from './percent-encoding.js';

const MODES = ['disable', 'verify-ca', 'verify-full'] as const;
type Mode = (typeof MODES)[number];

/** Address and TLS configuration of a database. */
export interface PostgresServer {
  /** The URL without its TLS parameters. */
  url: string;
  /** `disable`: no TLS. `verify-ca`: a trusted CA must have issued the certificate. `verify-full`: and for the host's name. */
  sslmode: Mode;
  files: TlsFiles;
}

/** TLS parameters of a URL by their libpq names, and the setting that applies if the URL lacks the parameter. */
const PARAMETERS = {
  sslmode: 'PGSSLMODE',
  sslrootcert: 'PGSSLROOTCERT',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
} as const;
type Parameter = keyof typeof PARAMETERS;
type Parameters = Partial<Record<Parameter, string>>;
const NAMES = Object.keys(PARAMETERS) as Parameter[];
const FILES = { sslrootcert: certificateFile, sslcert: certificateFile, sslkey: keyFile } as const;
/** Parameters of the pg client itself that have the same effect as `sslmode` or weaken it. */
const REFUSED = ['ssl', 'uselibpqcompat', 'sslnegotiation'];
const ALLOWED = 'sslmode must be verify-full, verify-ca or disable: the other modes do not verify the server';

const isMode = (text: string): text is Mode => (MODES as readonly string[]).includes(text);

// No error message contains any part of the URL, because the URL has a password.
function urlOf(text: string): URL {
  if (!/^postgres(ql)?:\/\/.+/.test(text)) throw new Error('must be a postgres:// URL');
  if (URL.canParse(text) && isDecodable(new URL(text))) return new URL(text);
  throw new Error(
    'must be a postgres:// URL with one host; reserved characters in the user and password must be percent-encoded, % itself as %25',
  );
}

// pg decodes only % before two hexadecimal digits, and fails if the result is not UTF-8.
const isDecodable = ({ username, password, pathname }: URL): boolean =>
  percentDecoded([username, password, pathname].join(':').replaceAll(/%(?![\da-f]{2})/gi, '%25')) !== null;

const parametersOf = ({ searchParams }: URL): Parameters =>
  Object.fromEntries(NAMES.flatMap((name) => (searchParams.get(name) ? [[name, searchParams.get(name)]] : [])));

/** Parses a `postgresUrl` that `withPostgresTls` has completed. */
export function parsePostgresUrl(text: string): PostgresServer {
  const url = urlOf(text);
  const { sslmode = 'disable', sslrootcert: ca, sslcert: cert, sslkey: key } = parametersOf(url);
  if (!isMode(sslmode)) throw new Error(ALLOWED);
  for (const name of NAMES) url.searchParams.delete(name);
  return { url: url.href, sslmode, files: { ca, cert, key } };
}

/** Database URL of a service. */
export const postgresUrl = z.string().superRefine((text, context) => {
  const problem = (message: string) => context.addIssue({ code: 'custom', message });
  try {
    const url = urlOf(text);
    const given = parametersOf(url);
    const refused = REFUSED.filter((name) => url.searchParams.has(name));
    if (refused.length > 0) problem(`must use sslmode instead of ${refused.join(', ')}; ${ALLOWED}`);
    if (given.sslmode !== undefined && !isMode(given.sslmode)) problem(ALLOWED);
    for (const [name, file] of Object.entries(FILES)) {
      const wrong = given[name as Parameter] && file.safeParse(given[name as Parameter]).error;
      if (wrong) problem(`${name} ${wrong.issues[0]?.message}`);
    }
  } catch (error) {
    problem((error as Error).message);
  }
});

/** TLS settings for PostgreSQL URLs without their own TLS parameters. */
export const postgresTlsSettings = {
  PGSSLMODE: setting(
    z.enum(MODES, { error: ALLOWED }).optional(),
    'TLS to PostgreSQL if a URL has no sslmode: verify-full, verify-ca (any host name), disable',
    'verify-full',
  ),
  PGSSLROOTCERT: setting(
    certificateFile.optional(),
    "PEM file with PostgreSQL's CA certificates, instead of Node's own; read for each connection",
    '/etc/po/postgresql/ca.crt',
  ),
  PGSSLCERT: setting(
    certificateFile.optional(),
    "PEM file with this client's certificate, for a server that requires one; read for each connection",
    '/etc/po/postgresql/tls.crt',
  ),
  PGSSLKEY: setting(
    keyFile.optional(),
    'PEM file with its private key, without a passphrase; read for each connection',
    '/etc/po/postgresql/tls.key',
  ),
} as const;

const isUrl = (setting: string): boolean => setting.startsWith('DATABASE_URL_');

/** Returns the configuration with all TLS settings written into its database URLs. */
export function withPostgresTls<C extends Record<string, unknown>>(config: C): C {
  const completed = Object.entries(config).map(([name, value]) => [
    name,
    isUrl(name) ? withTlsParameters(String(value), config) : value,
  ]);
  return Object.fromEntries(completed) as C;
}

function withTlsParameters(text: string, settings: Readonly<Record<string, unknown>>): string {
  const url = urlOf(text);
  // This database may be on the local host, although others need TLS.
  if (url.searchParams.get('sslmode') === 'disable') return text;
  for (const name of NAMES) {
    const value = settings[PARAMETERS[name]];
    if (typeof value === 'string' && !url.searchParams.get(name)) url.searchParams.set(name, value);
  }
  return url.href;
}

/** Cross-field rules for the TLS settings and these URLs. */
export function postgresRules(...urls: readonly `DATABASE_URL_${string}`[]): Rule[] {
  const rule = (url: string, error: string, holds: (given: Parameters) => boolean): Rule => ({
    setting: url,
    error,
    holds: (all) => {
      const text = all[url];
      // Errors of the URL itself are reported elsewhere.
      return (
        typeof text !== 'string' ||
        !postgresUrl.safeParse(text).success ||
        holds(parametersOf(new URL(withTlsParameters(text, all))))
      );
    },
  });
  return [
    ...tlsRules({ tls: null, ca: 'PGSSLROOTCERT', cert: 'PGSSLCERT', key: 'PGSSLKEY' }),
    ...urls.flatMap((url) => [
      rule(
        url,
        'needs sslmode=verify-full, or PGSSLMODE=verify-full: certificates are configured for it',
        ({ sslmode = 'disable', ...files }) => sslmode !== 'disable' || Object.keys(files).length === 0,
      ),
      rule(
        url,
        'needs sslrootcert, or PGSSLROOTCERT, with verify-ca: anyone can get a certificate from a public CA',
        ({ sslmode, sslrootcert }) => sslmode !== 'verify-ca' || sslrootcert !== undefined,
      ),
      rule(url, 'needs both sslcert and sslkey, or neither', ({ sslcert, sslkey }) => !sslcert === !sslkey),
    ]),
  ];
}
