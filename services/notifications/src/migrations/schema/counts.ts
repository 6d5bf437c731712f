import { USER, internalRows } from './access.js';

// Changes of a statement to the inboxes: rows of notifications, each weighted +1 or -1.
const ADDED = 'SELECT user_id, audience, seq, read_at, 1 AS weight FROM added';
const REMOVED = 'SELECT user_id, audience, seq, read_at, -1 AS weight FROM removed';

// Runs as the owner, the only role that may write counts.
const functionOf = (name: string, body: string) => `
  CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  BEGIN ${body} RETURN NULL; END $$;`;

// Sorted, because two transactions that share inboxes would deadlock otherwise.
const addTo = (changes: string, unread: string) => `
  INSERT INTO inboxes AS i (user_id, audience, total, unread)
  SELECT user_id, audience, sum(weight), COALESCE(sum(weight) FILTER (WHERE read_at IS NULL), 0) FROM (${changes}) c
   GROUP BY user_id, audience
  HAVING sum(weight) <> 0 OR sum(weight) FILTER (WHERE read_at IS NULL) <> 0
   ORDER BY user_id, audience
      ON CONFLICT (user_id, audience) DO UPDATE SET total = i.total + excluded.total, unread = i.unread + ${unread};`;

// Reads the inbox row after it is locked: a concurrent mark-all may have moved read_to.
const stillUnread = (changes: string) => `
  (SELECT COALESCE(sum(c.weight), 0) FROM (${changes}) c
    WHERE c.user_id = i.user_id AND c.audience = i.audience AND c.read_at IS NULL AND c.seq > i.read_to)`;

// The number of a new notification is above every mark, so it is unread.
const COUNT_NEW = addTo(ADDED, 'excluded.unread');
const COUNT_CHANGED = addTo(`${ADDED} UNION ALL ${REMOVED}`, stillUnread(`${ADDED} UNION ALL ${REMOVED}`));
const COUNT_DELETED = addTo(REMOVED, stillUnread(REMOVED));

// Two statements: the snapshot of the second includes what was committed while the first waited for the row. The count is cheap, because it
// covers only notifications that arrived during the mark.
const COUNT_MARKED = `
  INSERT INTO inboxes AS i (user_id, audience, read_to) VALUES (NEW.user_id, NEW.audience, NEW.seq)
      ON CONFLICT (user_id, audience) DO UPDATE SET read_to = GREATEST(i.read_to, excluded.read_to);
  UPDATE inboxes i
     SET unread = (SELECT count(*) FROM notifications n
                    WHERE n.user_id = NEW.user_id AND n.audience = NEW.audience AND n.read_at IS NULL AND n.seq > NEW.seq)
   WHERE i.user_id = NEW.user_id AND i.audience = NEW.audience AND i.read_to = NEW.seq;`;

/** Counts of every inbox, maintained by triggers. */
export const COUNTS = `
-- Free space on each page, so that an update of a count does not touch the index (HOT).
CREATE TABLE inboxes (
  user_id text NOT NULL,
  audience text NOT NULL,
  total integer NOT NULL DEFAULT 0,
  unread integer NOT NULL DEFAULT 0,
  read_to integer NOT NULL DEFAULT 0,
  PRIMARY KEY (user_id, audience)
) WITH (fillfactor = 50);
${internalRows('inboxes')}
CREATE POLICY own ON inboxes TO notifications_user USING (user_id = ${USER});
GRANT SELECT ON inboxes TO notifications_internal, notifications_user;
${functionOf('count_new', COUNT_NEW)}
${functionOf('count_changed', COUNT_CHANGED)}
${functionOf('count_deleted', COUNT_DELETED)}
${functionOf('count_marked', COUNT_MARKED)}
CREATE TRIGGER count_new AFTER INSERT ON notifications REFERENCING NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_new();
CREATE TRIGGER count_changed AFTER UPDATE ON notifications REFERENCING OLD TABLE AS removed NEW TABLE AS added
  FOR EACH STATEMENT EXECUTE FUNCTION count_changed();
CREATE TRIGGER count_deleted AFTER DELETE ON notifications REFERENCING OLD TABLE AS removed
  FOR EACH STATEMENT EXECUTE FUNCTION count_deleted();
CREATE TRIGGER count_marked AFTER INSERT ON watermarks FOR EACH ROW EXECUTE FUNCTION count_marked();

-- For repairs. Runs under the lock of the inbox row, each statement with its own snapshot. Writers of notifications take that lock after
-- their rows, so their triggers count later whatever these statements do not see.
CREATE FUNCTION recount_inbox(of_user text, of_audience text) RETURNS void LANGUAGE plpgsql AS $$
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
END $$;
`;
