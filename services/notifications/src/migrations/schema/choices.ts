import { USER, internalRows, ownRows } from './access.js';

/** Preferences and views of users. Without a foreign key to users, because a user may send them before their announcement arrives. */
export const CHOICES = `
CREATE TABLE preferences (
  user_id text PRIMARY KEY,
  version integer NOT NULL,
  command_id text NOT NULL,
  locale text NOT NULL,
  time_zone text NOT NULL,
  mail jsonb NOT NULL,
  digest_at text NOT NULL,
  updated_at timestamptz(3) NOT NULL
);
${ownRows('preferences')}
GRANT SELECT, DELETE ON preferences TO notifications_internal;
GRANT SELECT, INSERT, UPDATE ON preferences TO notifications_user;

-- Saved filters of the order list.
CREATE TABLE views (
  id text PRIMARY KEY,
  side text NOT NULL,
  owner_id text NOT NULL,
  owner_name text,
  name text NOT NULL,
  query jsonb NOT NULL,
  columns text[],
  shared boolean NOT NULL,
  version integer NOT NULL,
  command_id text NOT NULL,
  body_hash text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
);
CREATE INDEX views_owner ON views (owner_id, side);
CREATE INDEX views_shared ON views (side) WHERE shared;
${internalRows('views')}
-- An ADMIN may make another user's view private. PostgreSQL also checks the changed row against this policy.
CREATE POLICY of_side ON views TO notifications_user
  USING (side = NULLIF(current_setting('app.side', true), '')
         AND (owner_id = ${USER} OR shared OR current_setting('app.role', true) = 'ADMIN'));
CREATE POLICY own_when_new ON views AS RESTRICTIVE FOR INSERT TO notifications_user WITH CHECK (owner_id = ${USER});
GRANT SELECT, DELETE ON views TO notifications_internal;
GRANT SELECT, INSERT, UPDATE, DELETE ON views TO notifications_user;
`;
