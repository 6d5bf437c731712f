/** All that a filter or an order looks at, so that a page, or a count, of any of them reads an index alone. */
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
/** What the filters "due" and "buyer" look at. */
const DUE = ['waiting_first_due_at', 'overdue_first_due_at'];
const WITH_BUYER = [...LISTED, 'buyer_email', ...DUE];

/** An index of orders by these keys, which includes what else a list looks at. */
const listIndex = (name: string, keys: readonly string[], where = '', listed: readonly string[] = LISTED): string => `
CREATE INDEX purchase_orders_${name} ON purchase_orders (${keys.join(', ')})
  INCLUDE (${listed.filter((column) => !keys.includes(column)).join(', ')}) ${where};`;

/** The indexes of lists, of the schedule and of reminders. */
export const LIST_INDEXES = `
-- The default order, sortField=id, and what a search found.
${listIndex('list', ['id'])}

-- A vendor's list in any order, the vendor filter, and sortField=vendor; with buyers, because row-level security keeps lower() from
-- being looked up, as it is not leakproof. It is looked at in each entry of the vendor.
${listIndex('list_vendor_buyer', ['vendor_code', 'id'], '', WITH_BUYER)}

-- sortField=poDate, xfDate, status (and the status filter), amount.
${listIndex('list_po_date', ['po_date', 'id'])}
${listIndex('list_xf_date', ['xf_date', 'id'])}
${listIndex('list_status', ['status_id', 'id'])}
${listIndex('list_amount', ['amount', 'id'])}

-- Flags that few orders have.
${listIndex('list_pending', ['id'], 'WHERE has_pending_changes')}
${listIndex('list_conflict', ['id'], 'WHERE has_source_conflict')}

-- The filter "due": orders of which the first step of some rule is due.
${listIndex('list_due', [`LEAST(${DUE.join(', ')})`], 'WHERE status_id < 600', [...LISTED, ...DUE])}

-- The filter "buyer" of those who see all orders, newest first, and the buyers that there are. The address itself is included:
-- PostgreSQL reads an index alone only if it has the column, not an expression of it. Up to 1,280 octets may be stored as an address;
-- an entry with them twice would be too long for an index, and the order could not be stored.
${listIndex('list_buyer', ['lower(buyer_email)', 'id'], 'WHERE octet_length(buyer_email) <= 1000', WITH_BUYER)}

-- What the schedule counts, and nothing of the orders that were shipped: those are most of them after a year. A vendor's part is a range
-- of it, everybody else reads all of it.
CREATE INDEX purchase_orders_unshipped ON purchase_orders (vendor_code, xf_date) INCLUDE (total_qty) WHERE status_id < 500;

-- What is due under the present settings, and what was worked out with older ones.
CREATE INDEX purchase_orders_reminders
  ON purchase_orders (reminders_generation, LEAST(waiting_next_due_at, overdue_next_due_at)) WHERE status_id < 600;
`;
