import { type Logger, type VerifiedTls, parsePostgresUrl, verifiedTls } from '@po/platform';

/** How pg reaches a server. */
export interface Server {
  connectionString: string;
  ssl: false | (VerifiedTls & { checkServerIdentity?: () => undefined });
}

/** Connection settings for pg from a URL; each new connection reads the certificates again. Throws when they cannot be used. */
export function serverAt(url: string, logger: Logger): Server {
  const { url: connectionString, sslmode, files } = parsePostgresUrl(url);
  if (sslmode === 'disable') return { connectionString, ssl: false };
  const ssl: Server['ssl'] = verifiedTls('postgresql', files, (error) =>
    logger.warn({ err: error }, 'the certificates for PostgreSQL cannot be used; the previous ones stay in use'),
  );
  // Any host that the authority certified.
  if (sslmode === 'verify-ca') ssl.checkServerIdentity = () => undefined;
  return { connectionString, ssl };
}
