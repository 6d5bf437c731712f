import { type Logger, type VerifiedTls, parsePostgresUrl, verifiedTls } from '@po/platform';

/** Connection settings of pg for a server. */
export interface Server {
  connectionString: string;
  ssl: false | (VerifiedTls & { checkServerIdentity?: () => undefined });
}

/** Returns the connection settings for a URL. Each new connection reads the certificates again. Throws if they cannot be used. */
export function serverAt(url: string, logger: Logger): Server {
  const { url: connectionString, sslmode, files } = parsePostgresUrl(url);
  if (sslmode === 'disable') return { connectionString, ssl: false };
  const ssl: Server['ssl'] = verifiedTls('postgresql', files, (error) =>
    logger.warn({ err: error }, 'the certificates for PostgreSQL cannot be used; the previous ones stay in use'),
  );
  // verify-ca accepts any host with a certificate of the CA.
  if (sslmode === 'verify-ca') ssl.checkServerIdentity = () => undefined;
  return { connectionString, ssl };
}
