/** Vendor code whose rows a vendor's statements may read and write. */
export const OWN_VENDOR = `NULLIF(current_setting('app.vendor', true), '')`;

/**
 * Row-level security of a table: the internal role sees all rows. Each side has its own role and policy, because with one policy and OR a
 * search over all orders could not use the trigram index.
 */
export const internalRows = (table: string): string => `
ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY;
ALTER TABLE ${table} FORCE ROW LEVEL SECURITY;
CREATE POLICY internal ON ${table} TO po_internal USING (true) WITH CHECK (true);`;

/** Like `internalRows`, and a vendor sees the rows of its own code for which `also` holds. */
export function vendorRows(table: string, { column = 'vendor_code', also = '' } = {}): string {
  const own = `${column} = ${OWN_VENDOR}${also && ` AND ${also}`}`;
  return `${internalRows(table)}
CREATE POLICY vendor ON ${table} TO po_vendor USING (${own}) WITH CHECK (${own});`;
}
