import { type Database, Purge, type Statement } from '@po/database';
import type { Logger } from '@po/platform';

const EVERY_MS = 60_000;
/** Longer than a record can be redelivered: the topic keeps it for 7 days, the dead-letter topic for another 30. */
const KNOWN_DAYS = 40;

const DELETE_ENDED: Statement = {
  name: 'purge-mails',
  text: `WITH gone AS (
           DELETE FROM mails WHERE id IN (
             SELECT id FROM mails WHERE done_at < now() - interval '${KNOWN_DAYS} days' ORDER BY done_at LIMIT $1 FOR UPDATE SKIP LOCKED)
           RETURNING 1
         ) SELECT count(*)::int AS deleted FROM gone`,
};

/** Deletes ended mails and the ids of their notifications. */
export function mailRetention(database: Database, logger: Logger): Purge {
  return new Purge({
    name: 'mails',
    everyMs: EVERY_MS,
    logger,
    batch: async (rows) => {
      const [batch] = await database.transaction(null, (send) => send<{ deleted: number }>(DELETE_ENDED, [rows]));
      const deleted = batch?.deleted ?? 0;
      return { deleted, more: deleted > 0 };
    },
  });
}
