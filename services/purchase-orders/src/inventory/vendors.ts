import type { Send } from '@po/database';
import { fold } from '../store/order-rows.js';

/** The name kept for a vendor's code, or null. */
export async function vendorNameOf(send: Send, code: string): Promise<string | null> {
  const [vendor] = await send<{ name: string }>('SELECT name FROM vendors WHERE code = $1', [code]);
  return vendor?.name ?? null;
}

/** Keeps the last name received for a vendor's code, where `known` was kept until now. */
export async function saveVendor(
  send: Send,
  { code, name }: { code: string; name: string },
  known: string | null,
): Promise<void> {
  // The upsert locks the vendor's row also when nothing changes, and a bulk import of one vendor would queue there.
  if (known === name) return;
  await send(
    `INSERT INTO vendors (code, code_key, name, name_key) VALUES ($1, $2, $3, $4)
     ON CONFLICT (code) DO UPDATE SET name = excluded.name, name_key = excluded.name_key`,
    [code, fold(code), name, fold(name)],
  );
}
