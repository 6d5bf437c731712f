import type { MigrationInterface, QueryRunner } from 'typeorm';

// Under the lock of the inbox's row, each statement with a snapshot of its own: who writes notifications takes that lock behind them,
// so what is not seen here comes to be counted behind it.
const RECOUNT = `
  CREATE OR REPLACE FUNCTION recount_inbox(of_user text, of_audience text) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO inboxes (user_id, audience) VALUES (of_user, of_audience) ON CONFLICT DO NOTHING;
    PERFORM FROM inboxes WHERE user_id = of_user AND audience = of_audience FOR NO KEY UPDATE;
    UPDATE inboxes i
       SET read_to = GREATEST(i.read_to, (SELECT max(w.seq) FROM watermarks w
                                           WHERE w.user_id = of_user AND w.audience = of_audience))
     WHERE i.user_id = of_user AND i.audience = of_audience;
    UPDATE inboxes i
       SET (total, unread) = (SELECT count(*), count(*) FILTER (WHERE n.read_at IS NULL AND n.seq > i.read_to)
                                FROM notifications n WHERE n.user_id = of_user AND n.audience = of_audience)
     WHERE i.user_id = of_user AND i.audience = of_audience;
  END $$`;

const NEXT = `
  SELECT user_id, audience, recount_inbox(user_id, audience)
    FROM (SELECT user_id, audience FROM notifications
           WHERE (user_id, audience) > ($1, $2) ORDER BY user_id, audience LIMIT 1) next`;

interface Inbox {
  user_id: string;
  audience: string;
}

/** Counts what was there before the triggers, one inbox a transaction. May be interrupted and run again. */
export class FillInboxCounts1795000000004 implements MigrationInterface {
  readonly name = 'FillInboxCounts1795000000004';
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(RECOUNT);
    let inbox: Inbox | undefined = { user_id: '', audience: '' };
    while (inbox) {
      [inbox] = (await runner.query(NEXT, [inbox.user_id, inbox.audience])) as Inbox[];
    }
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only go forward: restore a backup to go back'));
  }
}
