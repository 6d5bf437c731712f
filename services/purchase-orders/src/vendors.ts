import type { EntityManager } from 'typeorm';
import { fold } from './order-rows.js';

/**
 * Keeps the last name received for a vendor's code. Orders refer to it, so it comes before the first of them; an order loaded
 * afterwards carries the new name.
 */
export async function saveVendor(
  manager: EntityManager,
  { code, name }: { code: string; name: string },
): Promise<void> {
  // Read first: the upsert locks the vendor's row also when nothing changes, and a bulk import of one vendor would queue there.
  const [known] = await manager.query<{ name: string }[]>('SELECT name FROM vendors WHERE code = $1', [code]);
  if (known?.name === name) return;
  await manager.query(
    `INSERT INTO vendors (code, code_key, name, name_key) VALUES ($1, $2, $3, $4)
     ON CONFLICT (code) DO UPDATE SET name = excluded.name, name_key = excluded.name_key`,
    [code, fold(code), name, fold(name)],
  );
}
