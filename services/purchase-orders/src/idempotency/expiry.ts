import type { Logger } from '@po/platform';
import { purgeExpired } from './command-log.js';
import type { Databases } from '../store/databases.js';

const EVERY_MS = 60_000;

/** Deletes stored answers and refusals some time after they expired, until it is stopped. Reads ignore expired ones anyway. */
export function startExpiry({ internal }: Databases, logger: Logger): { stop: () => void } {
  const timer = setInterval(() => {
    internal
      .transaction(null, purgeExpired)
      .then((purged) => logger.debug({ purged }, 'expired answers deleted'))
      .catch((error: unknown) => logger.warn({ err: error }, 'expired answers could not be deleted yet'));
  }, EVERY_MS);
  return { stop: () => clearInterval(timer) };
}
