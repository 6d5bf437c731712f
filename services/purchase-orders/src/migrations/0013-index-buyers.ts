import { type Migration, createIndexConcurrently, dropIndexConcurrently, migrationAlone } from '@po/database';
import { LISTED } from './0007-index-lists.js';

/** All that a list looks at, with any filter: the reminders are what "due" looks at. */
const included = (keys: readonly string[]): string =>
  [...LISTED, 'buyer_email', 'waiting_first_due_at', 'overdue_first_due_at']
    .filter((column) => !keys.includes(column))
    .join(', ');

export const INDEXED_BUYERS: Migration[] = [
  // The filter "buyer" of those who see all orders, newest first, and the buyers that there are. The address itself is included:
  // PostgreSQL reads an index alone only if it has the column, not an expression of it. Up to 1,280 octets may be stored as an address;
  // an entry with them twice would be too long for an index, and the order could not be stored.
  migrationAlone('ListByBuyer1795500000020', (runner) =>
    createIndexConcurrently(
      runner,
      'purchase_orders_list_buyer',
      `purchase_orders (lower(buyer_email), id) INCLUDE (${included(['id'])})
         WHERE octet_length(buyer_email) <= 1000`,
    ),
  ),
  // A vendor's list, in the place of the index without buyers: row-level security keeps lower() from being looked up, as it is not
  // leakproof. It is looked at in each entry of the vendor.
  migrationAlone('ListByVendorWithBuyer1795500000021', (runner) =>
    createIndexConcurrently(
      runner,
      'purchase_orders_list_vendor_buyer',
      `purchase_orders (vendor_code, id) INCLUDE (${included(['vendor_code', 'id'])})`,
    ),
  ),
  migrationAlone('DropListByVendor1795500000022', (runner) =>
    dropIndexConcurrently(runner, 'purchase_orders_list_vendor'),
  ),
];
