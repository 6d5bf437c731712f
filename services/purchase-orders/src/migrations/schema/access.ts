/** Whose rows a vendor's statements see and write. */
export const OWN_VENDOR = `NULLIF(current_setting('app.vendor', true), '')`;

/**
 * Row-level security of a table: the internal role sees all rows. A role and a policy for each side, not one policy with OR: with OR a
 * search over all orders could not use the trigram index.
 */
export const internalRows = (table: string): string => `
ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
CREATE POLICY internal ON ${table} TO po_internal USING (true) WITH CHECK (true);`;

/** And a vendor the rows of its own code, of which `also` holds. */
export function vendorRows(table: string, { column = 'vendor_code', also = '' } = {}): string {
  const own = `${column} = ${OWN_VENDOR}${also && ` AND ${also}`}`;
  return `${internalRows(table)}
CREATE POLICY vendor ON ${table} TO po_vendor USING (${own}) WITH CHECK (${own});`;
}
