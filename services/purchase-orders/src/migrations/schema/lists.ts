/** Columns of all filters and sort orders, so that every page and count needs only an index. */
const LISTED = [
  'id',
  'vendor_code',
  'status_id',
  'po_date',
  'xf_date',
  'amount',
  'has_pending_changes',
  'has_source_conflict',
];
/** Columns of the filter "due". */
const DUE = ['waiting_first_due_at', 'overdue_first_due_at'];
const WITH_BUYER = [...LISTED, 'buyer_email', ...DUE];

/** An index of orders by these keys, which includes the other columns of lists. */
const listIndex = (name: string, keys: readonly string[], where = '', listed: readonly string[] = LISTED): string => `
CREATE INDEX purchase_orders_${name} ON purchase_orders (${keys.join(', ')})
  INCLUDE (${listed.filter((column) => !keys.includes(column)).join(', ')}) ${where};`;

/** The indexes of lists, of the schedule and of reminders. */
export const LIST_INDEXES = `
-- The default sort order, sortField=id, and the results of a search.
${listIndex('list', ['id'])}

-- A vendor's list in any sort order, the vendor filter, and sortField=vendor. Includes buyers: row-level security prevents an index
-- lookup by lower(), which is not leakproof, so lower() is evaluated for each entry of the vendor.
${listIndex('list_vendor_buyer', ['vendor_code', 'id'], '', WITH_BUYER)}

-- sortField=poDate, xfDate, status (and the status filter), amount.
${listIndex('list_po_date', ['po_date', 'id'])}
${listIndex('list_xf_date', ['xf_date', 'id'])}
${listIndex('list_status', ['status_id', 'id'])}
${listIndex('list_amount', ['amount', 'id'])}

-- Flags that are set on few orders.
${listIndex('list_pending', ['id'], 'WHERE has_pending_changes')}
${listIndex('list_conflict', ['id'], 'WHERE has_source_conflict')}

-- The filter "due": orders for which the first step of a rule is due.
${listIndex('list_due', [`LEAST(${DUE.join(', ')})`], 'WHERE status_id < 600', [...LISTED, ...DUE])}

-- The filter "buyer" for users who see all orders, newest first, and the list of buyers. The address itself is included, because an
-- index-only scan needs the column, not only an expression of it. An address may have up to 1,280 octets; an index entry that contains
-- such an address twice would be too long, and the order could not be stored.
${listIndex('list_buyer', ['lower(buyer_email)', 'id'], 'WHERE octet_length(buyer_email) <= 1000', WITH_BUYER)}

-- The orders that the schedule counts, without shipped orders, which are the majority after a year. A vendor reads one range of the index,
-- internal users read all of it.
CREATE INDEX purchase_orders_unshipped ON purchase_orders (vendor_code, xf_date) INCLUDE (total_qty) WHERE status_id < 500;

-- Reminders that are due under the current settings, and reminders that were computed with older ones.
CREATE INDEX purchase_orders_reminders
  ON purchase_orders (reminders_generation, LEAST(waiting_next_due_at, overdue_next_due_at)) WHERE status_id < 600;
`;
