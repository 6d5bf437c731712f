import type { EntityManager } from 'typeorm';
import { fold } from '../store/order-rows.js';

/** The name kept for a vendor's code, or null. */
export async function vendorNameOf(manager: EntityManager, code: string): Promise<string | null> {
  const [vendor] = await manager.query<{ name: string }[]>('SELECT name FROM vendors WHERE code = $1', [code]);
  return vendor?.name ?? null;
}

/**
 * Keeps the last name received for a vendor's code, where `known` was kept until now. Orders refer to it, so it comes before the
 * first of them.
 */
export async function saveVendor(
  manager: EntityManager,
  { code, name }: { code: string; name: string },
  known: string | null,
): Promise<void> {
  // The upsert locks the vendor's row also when nothing changes, and a bulk import of one vendor would queue there.
  if (known === name) return;
  await manager.query(
    `INSERT INTO vendors (code, code_key, name, name_key) VALUES ($1, $2, $3, $4)
     ON CONFLICT (code) DO UPDATE SET name = excluded.name, name_key = excluded.name_key`,
    [code, fold(code), name, fold(name)],
  );
}
