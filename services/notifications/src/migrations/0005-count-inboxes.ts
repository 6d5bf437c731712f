import type { MigrationInterface, QueryRunner } from 'typeorm';

// What each statement of a trigger changes of the inboxes: rows of notifications, each with +1 or -1.
const ADDED = 'SELECT user_id, audience, seq, read_at, 1 AS weight FROM added';
const REMOVED = 'SELECT user_id, audience, seq, read_at, -1 AS weight FROM removed';

const TABLE = `
  -- Room on each page, so that a count that changes leaves the index alone.
  CREATE TABLE inboxes (
    user_id text NOT NULL,
    audience text NOT NULL,
    total integer NOT NULL DEFAULT 0,
    unread integer NOT NULL DEFAULT 0,
    read_to integer NOT NULL DEFAULT 0,
    PRIMARY KEY (user_id, audience)
  ) WITH (fillfactor = 50);
  ALTER TABLE inboxes ENABLE ROW LEVEL SECURITY;
  ALTER TABLE inboxes FORCE ROW LEVEL SECURITY;
  CREATE POLICY internal ON inboxes TO notifications_internal USING (true) WITH CHECK (true);
  CREATE POLICY own ON inboxes TO notifications_user USING (user_id = NULLIF(current_setting('app.user', true), ''));
  GRANT SELECT ON inboxes TO notifications_internal, notifications_user;
`;

// As the owner: nobody else may write counts.
const functionOf = (name: string, body: string) => `
  CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  BEGIN ${body} RETURN NULL; END $$;`;

// In sorted order: two transactions that share inboxes would deadlock otherwise.
const addTo = (changes: string, unread: string) => `
  INSERT INTO inboxes AS i (user_id, audience, total, unread)
  SELECT user_id, audience, sum(weight), COALESCE(sum(weight) FILTER (WHERE read_at IS NULL), 0) FROM (${changes}) c
   GROUP BY user_id, audience
  HAVING sum(weight) <> 0 OR sum(weight) FILTER (WHERE read_at IS NULL) <> 0
   ORDER BY user_id, audience
      ON CONFLICT (user_id, audience) DO UPDATE SET total = i.total + excluded.total, unread = i.unread + ${unread};`;

// Of the row as it is once it is locked: a mark-all may have moved read_to meanwhile.
const stillUnread = (changes: string) => `
  (SELECT COALESCE(sum(c.weight), 0) FROM (${changes}) c
    WHERE c.user_id = i.user_id AND c.audience = i.audience AND c.read_at IS NULL AND c.seq > i.read_to)`;

// A new notification's number is above every mark's, so what is new is unread.
const COUNT_NEW = addTo(ADDED, 'excluded.unread');
const COUNT_CHANGED = addTo(`${ADDED} UNION ALL ${REMOVED}`, stillUnread(`${ADDED} UNION ALL ${REMOVED}`));
const COUNT_DELETED = addTo(REMOVED, stillUnread(REMOVED));

// Two statements: the second one's snapshot has what was committed while the first waited for the row. It counts what came while the
// mark was made, which is next to nothing.
const COUNT_MARKED = `
  INSERT INTO inboxes AS i (user_id, audience, read_to) VALUES (NEW.user_id, NEW.audience, NEW.seq)
      ON CONFLICT (user_id, audience) DO UPDATE SET read_to = GREATEST(i.read_to, excluded.read_to);
  UPDATE inboxes i
     SET unread = (SELECT count(*) FROM notifications n
                    WHERE n.user_id = NEW.user_id AND n.audience = NEW.audience AND n.read_at IS NULL AND n.seq > NEW.seq)
   WHERE i.user_id = NEW.user_id AND i.audience = NEW.audience AND i.read_to = NEW.seq;`;

const TRIGGERS = `
  CREATE TRIGGER count_new AFTER INSERT ON notifications REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION count_new();
  CREATE TRIGGER count_changed AFTER UPDATE ON notifications REFERENCING OLD TABLE AS removed NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION count_changed();
  CREATE TRIGGER count_deleted AFTER DELETE ON notifications REFERENCING OLD TABLE AS removed
    FOR EACH STATEMENT EXECUTE FUNCTION count_deleted();
  CREATE TRIGGER count_marked AFTER INSERT ON watermarks FOR EACH ROW EXECUTE FUNCTION count_marked();
`;

/** What every inbox holds, kept by the database: the version before this one writes notifications, too, and knows no counts. */
export class CountInboxes1795000000003 implements MigrationInterface {
  readonly name = 'CountInboxes1795000000003';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLE);
    await runner.query(functionOf('count_new', COUNT_NEW));
    await runner.query(functionOf('count_changed', COUNT_CHANGED));
    await runner.query(functionOf('count_deleted', COUNT_DELETED));
    await runner.query(functionOf('count_marked', COUNT_MARKED));
    // Last: it waits for whoever writes, and whoever writes next waits for it.
    await runner.query(TRIGGERS);
  }

  down(): Promise<void> {
    return Promise.reject(new Error('migrations only go forward: restore a backup to go back'));
  }
}
