import { BatchJob, type Database, deleteBatch, deletion } from '@po/database';
import type { Logger } from '@po/platform';

const EVERY_MS = 60_000;
/** Longer than a record can be redelivered: the topic keeps it for 7 days, the dead-letter topic for another 30. */
const KNOWN_DAYS = 40;

const DELETE_ENDED = deletion(
  'purge-mails',
  `DELETE FROM mails WHERE id IN (
     SELECT id FROM mails WHERE done_at < now() - interval '${KNOWN_DAYS} days' ORDER BY done_at LIMIT $1 FOR UPDATE SKIP LOCKED)`,
);

/** Deletes ended mails and the ids of their notifications. */
export function purgesOf(database: Database, logger: Logger): BatchJob[] {
  return [
    new BatchJob({
      name: 'mails',
      everyMs: EVERY_MS,
      logger,
      batch: (rows) => database.transaction(null, (send) => deleteBatch(send, DELETE_ENDED, rows, [rows])),
    }),
  ];
}
