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
// All transactions lock in the same order, which prevents deadlocks.
const SAVE: Statement = {
  name: 'save-vendors',
  text: `INSERT INTO vendors (code, code_key, name, name_key)
         SELECT code, code_key, name, name_key
           FROM json_to_recordset($1::json) AS n(code text, code_key text, name text, name_key text) ORDER BY code
         ON CONFLICT (code) DO UPDATE SET code_key = excluded.code_key, name = excluded.name, name_key = excluded.name_key`,
};

/** The stored vendor names, by vendor code. */
export async function vendorNamesOf(send: Send, codes: readonly string[]): Promise<Map<string, string>> {
  const vendors = await send<Vendor>(NAMES, [codes]);
  return new Map(vendors.map(({ code, name }) => [code, name]));
}

/**
 * Saves the last name received for each vendor code; `known` are the stored names. There is nothing to await: a failure also fails the
 * transaction.
 */
export function saveVendors(send: Send, vendors: readonly Vendor[], known: ReadonlyMap<string, string>): void {
  const names = new Map(vendors.map(({ code, name }) => [code, name]));
  // The upsert would lock a vendor's row even without a change, and the transactions of a bulk import of one vendor would queue there.
  const changed = [...names].filter(([code, name]) => known.get(code) !== name);
  if (changed.length === 0) return;
  const rows = changed.map(([code, name]) => ({ code, code_key: fold(code), name, name_key: fold(name) }));
  void send(SAVE, [JSON.stringify(rows)]);
}
