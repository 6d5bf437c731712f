/** The user whose statement it is, null of nobody. */
export const USER = `NULLIF(current_setting('app.user', true), '')`;

/** Row-level security of a table: the internal role sees all rows. */
export const internalRows = (table: string): string => `
ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
CREATE POLICY internal ON ${table} TO notifications_internal USING (true) WITH CHECK (true);`;

/** And users their own rows. */
export const ownRows = (table: string): string => `${internalRows(table)}
CREATE POLICY own ON ${table} TO notifications_user USING (user_id = ${USER}) WITH CHECK (user_id = ${USER});`;
