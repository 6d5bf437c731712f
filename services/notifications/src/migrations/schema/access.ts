/** The user in whose scope a statement runs; NULL without a scope. */
export const USER = `NULLIF(current_setting('app.user', true), '')`;

/** Row-level security of a table: the internal role sees all rows. */
export const internalRows = (table: string): string => `
ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
CREATE POLICY internal ON ${table} TO notifications_internal USING (true) WITH CHECK (true);`;

/** Row-level security of a table: as `internalRows`, and users see and write their own rows. */
export const ownRows = (table: string): string => `${internalRows(table)}
CREATE POLICY own ON ${table} TO notifications_user USING (user_id = ${USER}) WITH CHECK (user_id = ${USER});`;
