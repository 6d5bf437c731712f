import type { Send, Statement } from '@po/database';
import { fold } from '../store/search-texts.js';

interface Vendor {
  code: string;
  name: string;
}

const NAMES: Statement = {
  name: 'names-of-vendors',
  text: 'SELECT code, name FROM vendors WHERE code = ANY ($1::text[])',
};
// In one order everywhere: who locks several waits for others, but never in a circle.
const SAVE: Statement = {
  name: 'save-vendors',
  text: `INSERT INTO vendors (code, code_key, name, name_key)
         SELECT code, code_key, name, name_key
           FROM json_to_recordset($1::json) AS n(code text, code_key text, name text, name_key text) ORDER BY code
         ON CONFLICT (code) DO UPDATE SET name = excluded.name, name_key = excluded.name_key,
            renamed_at = CASE WHEN vendors.name = excluded.name THEN vendors.renamed_at ELSE clock_timestamp() END`,
};

/** The names kept for vendors' codes, by code. */
export async function vendorNamesOf(send: Send, codes: readonly string[]): Promise<Map<string, string>> {
  const vendors = await send<Vendor>(NAMES, [codes]);
  return new Map(vendors.map(({ code, name }) => [code, name]));
}

/**
 * Keeps the last name received for each vendor's code, where `known` were kept until now. Nothing to wait for: the transaction that it is
 * sent in fails with it.
 */
export function saveVendors(send: Send, vendors: readonly Vendor[], known: ReadonlyMap<string, string>): void {
  const names = new Map(vendors.map(({ code, name }) => [code, name]));
  // The upsert locks a vendor's row also when nothing changes, and a bulk import of one vendor would queue there.
  const changed = [...names].filter(([code, name]) => known.get(code) !== name);
  if (changed.length === 0) return;
  const rows = changed.map(([code, name]) => ({ code, code_key: fold(code), name, name_key: fold(name) }));
  void send(SAVE, [JSON.stringify(rows)]);
}
