import { type Migration, createIndexConcurrently, dropIndexConcurrently, migrationAlone } from '@po/database';

/** All that a filter or an order looks at, so that a page, or a count, of any of them reads an index alone. */
export const LISTED = [
  'id',
  'vendor_code',
  'status_id',
  'po_date',
  'xf_date',
  'amount',
  'has_pending_changes',
  'has_source_conflict',
];

function listIndex(migration: string, name: string, keys: readonly string[], where = ''): Migration {
  const included = LISTED.filter((column) => !keys.includes(column));
  return migrationAlone(migration, (runner) =>
    createIndexConcurrently(
      runner,
      name,
      `purchase_orders (${keys.join(', ')}) INCLUDE (${included.join(', ')}) ${where}`,
    ),
  );
}

export const INDEXED_LISTS: Migration[] = [
  // The default order, sortField=id, and what a search found.
  listIndex('ListById1795500000002', 'purchase_orders_list', ['id']),
  // A vendor's list in any order, the vendor filter, and sortField=vendor.
  listIndex('ListByVendor1795500000003', 'purchase_orders_list_vendor', ['vendor_code', 'id']),
  // sortField=poDate, xfDate, status (and the status filter), amount.
  listIndex('ListByPoDate1795500000004', 'purchase_orders_list_po_date', ['po_date', 'id']),
  listIndex('ListByXfDate1795500000005', 'purchase_orders_list_xf_date', ['xf_date', 'id']),
  listIndex('ListByStatus1795500000006', 'purchase_orders_list_status', ['status_id', 'id']),
  listIndex('ListByAmount1795500000007', 'purchase_orders_list_amount', ['amount', 'id']),
  // Flags that few orders have.
  listIndex('ListPending1795500000008', 'purchase_orders_list_pending', ['id'], 'WHERE has_pending_changes'),
  listIndex('ListConflict1795500000009', 'purchase_orders_list_conflict', ['id'], 'WHERE has_source_conflict'),
  // Orders that a version wrote which knows no search entries: see the search backlog.
  migrationAlone('SearchBacklog1795500000010', (runner) =>
    createIndexConcurrently(
      runner,
      'purchase_orders_search_backlog',
      `purchase_orders (id) INCLUDE (vendor_code) WHERE right(search_text, 1) <> E'\\n'`,
    ),
  ),
  migrationAlone('DropFormerIndexes1795500000011', async (runner) => {
    for (const former of ['vendor_status_date', 'status', 'po_date', 'xf_date', 'amount', 'pending', 'conflict']) {
      await dropIndexConcurrently(runner, `purchase_orders_${former}`);
    }
    // Where there are orders already, they are searched by it until they have their search entries.
    const [{ found }] = (await runner.query('SELECT EXISTS (SELECT FROM purchase_orders) AS found')) as [
      { found: boolean },
    ];
    if (!found) await dropIndexConcurrently(runner, 'purchase_orders_search');
  }),
];
