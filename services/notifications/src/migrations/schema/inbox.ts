import { OUTBOX_DDL } from '@po/messaging';
import { USER, internalRows, ownRows } from './access.js';

/** Users, the entries that notifications are about, and the notifications. */
export const INBOX = `
CREATE TABLE users (
  user_id text PRIMARY KEY,
  role text NOT NULL,
  vendor_code text,
  email text,
  locale text,
  seen_at timestamptz(3) NOT NULL,
  last_seq integer NOT NULL DEFAULT 0,
  deleted_at timestamptz(3)
);
CREATE INDEX users_vendor ON users (vendor_code) WHERE role = 'VENDOR';
CREATE INDEX users_buyer ON users (lower(email)) WHERE role = 'BUYER';

-- History entries, reminders and messages.
CREATE TABLE transitions (
  history_id text PRIMARY KEY,
  po_ref text NOT NULL,
  po_number text NOT NULL,
  vendor_code text NOT NULL,
  vendor text NOT NULL,
  buyer_email text,
  action text NOT NULL,
  from_status_id integer,
  to_status_id integer NOT NULL,
  to_status text NOT NULL,
  to_status_zh text NOT NULL,
  status_color text NOT NULL,
  comment text,
  actor_id text,
  actor_name text,
  actor_role text NOT NULL,
  occurred_at timestamptz(3) NOT NULL,
  to_vendor boolean NOT NULL,
  to_buyers text NOT NULL CHECK (to_buyers IN ('none', 'own', 'every')),
  kind text NOT NULL,
  due_on date,
  step integer,
  title text,
  title_zh text,
  internal boolean NOT NULL,
  named text[]
);
CREATE INDEX transitions_vendor ON transitions (vendor_code, occurred_at DESC) WHERE to_vendor;
CREATE INDEX transitions_buyers ON transitions (occurred_at DESC) WHERE to_buyers <> 'none';
CREATE INDEX transitions_named ON transitions USING gin (named) WHERE named IS NOT NULL;

CREATE TABLE notifications (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id text NOT NULL REFERENCES users,
  audience text NOT NULL,
  seq integer NOT NULL,
  history_id text NOT NULL REFERENCES transitions,
  created_at timestamptz(3) NOT NULL,
  read_at timestamptz(3),
  kind text NOT NULL,
  UNIQUE (user_id, audience, seq)
);
CREATE INDEX notifications_unread ON notifications (user_id, audience, seq) WHERE read_at IS NULL;
-- The entry comes first, to find out whether a transition still has notifications.
CREATE UNIQUE INDEX notifications_entry ON notifications (history_id, user_id);
CREATE INDEX notifications_kind ON notifications (user_id, audience, kind, seq);
CREATE INDEX notifications_age ON notifications (created_at);
CREATE INDEX notifications_read ON notifications (read_at) WHERE read_at IS NOT NULL;

CREATE TABLE watermarks (
  user_id text NOT NULL,
  command_id text NOT NULL,
  audience text NOT NULL,
  seq integer NOT NULL,
  at timestamptz(3) NOT NULL,
  PRIMARY KEY (user_id, command_id)
);
CREATE INDEX watermarks_seq ON watermarks (user_id, audience, seq, at);
CREATE INDEX watermarks_age ON watermarks (at);

-- Authors in the thread of an order.
CREATE TABLE message_authors (
  po_ref text NOT NULL,
  user_id text NOT NULL,
  first_message_id text NOT NULL,
  last_at timestamptz(3) NOT NULL,
  PRIMARY KEY (po_ref, user_id)
);
CREATE INDEX message_authors_user ON message_authors (user_id);

${OUTBOX_DDL}

${['users', 'notifications', 'watermarks'].map(ownRows).join('')}
${['transitions', 'message_authors'].map(internalRows).join('')}
-- The policy of notifications also applies to the subquery: users see only the transitions of their own notifications.
CREATE POLICY own ON transitions FOR SELECT TO notifications_user
  USING (EXISTS (SELECT 1 FROM notifications n WHERE n.history_id = transitions.history_id AND n.user_id = ${USER}));

GRANT SELECT, INSERT, UPDATE, DELETE ON message_authors, outbox, outbox_leases TO notifications_internal;
GRANT SELECT, INSERT, UPDATE ON users TO notifications_internal;
GRANT SELECT, INSERT, DELETE ON transitions, notifications TO notifications_internal;
GRANT SELECT, DELETE ON watermarks TO notifications_internal;
GRANT SELECT (user_id, last_seq, role) ON users TO notifications_user;
GRANT SELECT ON transitions, notifications TO notifications_user;
GRANT UPDATE (read_at) ON notifications TO notifications_user;
GRANT SELECT, INSERT ON watermarks TO notifications_user;
`;
