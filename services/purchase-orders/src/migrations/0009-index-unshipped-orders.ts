import { createIndexConcurrently, migrationAlone } from '@po/database';

// What the schedule counts, and nothing of the orders that were shipped: those are most of them after a year. A vendor's part is a range of
// it, everybody else reads all of it.
export const IndexUnshippedOrders = migrationAlone('IndexUnshippedOrders1795500000013', (runner) =>
  createIndexConcurrently(
    runner,
    'purchase_orders_unshipped',
    'purchase_orders (vendor_code, xf_date) INCLUDE (total_qty) WHERE status_id < 500',
  ),
);
