import { type ListQuery, STATUS, STATUSES, type SortField } from '@po/contracts';
import { type Statement, selectList } from '@po/database';
import { OrderEntity } from '../store/order.entity.js';
import { fold } from '../store/order-rows.js';
import { SUMMARY_PROPERTIES, dateOf } from './purchase-order.view.js';

const SORT_COLUMNS: Record<SortField, string> = {
  id: 'o.id',
  vendor: 'v.name_key',
  poDate: 'o.po_date',
  xfDate: 'o.xf_date',
  // Ids ascend in the workflow's order.
  status: 'o.status_id',
  amount: 'o.amount',
};

const COLUMNS = `${selectList(OrderEntity, 'o', SUMMARY_PROPERTIES)}, v.name AS "vendorName"`;

/** A list's two statements over one set of values; `values` ends with limit and offset, which the count does not take. */
export interface ListStatements {
  count: Statement;
  page: Statement;
  values: unknown[];
  offset: number;
}

/** The SQL of a list within a vendor's scope, or of all vendors for null. */
export function listStatements(query: ListQuery, vendorCode: string | null, now: Date): ListStatements {
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const where = conditions(query, vendorCode, now, bind).join(' AND ');
  const filter = where ? `WHERE ${where}` : '';
  const offset = (query.page - 1) * query.limit;
  const { sortField, sortDir = sortField ? 'asc' : 'desc' } = query;
  const column = SORT_COLUMNS[sortField ?? 'id'];
  const direction = { asc: 'ASC', desc: 'DESC' }[sortDir];
  const order = column === SORT_COLUMNS.id ? `o.id ${direction}` : `${column} ${direction}, o.id ${direction}`;
  const paging = `LIMIT $${values.length + 1} OFFSET $${values.length + 2}`;
  // Unnamed on purpose: a prepared plan for any search text or any vendor would not use the indexes that the given one can.
  return {
    count: { name: '', text: `SELECT count(*) AS total FROM purchase_orders o ${filter}` },
    page: {
      name: '',
      text: `SELECT ${COLUMNS} FROM purchase_orders o JOIN vendors v ON v.code = o.vendor_code ${filter}
             ORDER BY ${order} ${paging}`,
    },
    values,
    offset,
  };
}

function conditions(
  query: ListQuery,
  vendorCode: string | null,
  now: Date,
  bind: (value: unknown) => string,
): string[] {
  const found: string[] = [];
  if (vendorCode !== null) found.push(`o.vendor_code = ${bind(vendorCode)}`);
  if (query.status?.length) found.push(`o.status_id = ANY(${bind(statusIdsOf(query.status))}::smallint[])`);
  if (query.vendor) {
    const key = bind(fold(query.vendor.trim()));
    found.push(`o.vendor_code = ANY(ARRAY(SELECT code FROM vendors WHERE name_key = ${key} OR code_key = ${key}))`);
  }
  if (query.search) found.push(`o.search_text LIKE ${bind(`%${likeLiteral(fold(query.search))}%`)}`);
  if (query.overdue !== undefined) {
    const overdue = `o.xf_date < ${bind(dateOf(now))}::date AND o.status_id < ${STATUS.SHIPPED}`;
    found.push(query.overdue ? overdue : `NOT (${overdue})`);
  }
  // Written as the partial indexes are, or they would not be used.
  if (query.hasPendingChanges !== undefined)
    found.push(`${query.hasPendingChanges ? '' : 'NOT '}o.has_pending_changes`);
  if (query.hasSourceConflict !== undefined)
    found.push(`${query.hasSourceConflict ? '' : 'NOT '}o.has_source_conflict`);
  return found;
}

function statusIdsOf(labels: string[]): number[] {
  const wanted = new Set(labels.map(fold));
  return STATUSES.filter(({ status, statusZh }) => wanted.has(fold(status)) || wanted.has(fold(statusZh))).map(
    ({ statusId }) => statusId,
  );
}

const likeLiteral = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/** The `Link` header of a page: first, prev, next and last as they exist. */
export function linkHeader(path: string, query: ListQuery, totalPages: number): string {
  const { page: _page, status, ...rest } = query;
  const parameters = Object.entries({ status: status?.join(','), ...rest })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, String(value)]);
  const lastPage = Math.max(totalPages, 1);
  const pages: [string, number][] = [['first', 1]];
  if (query.page > 1) pages.push(['prev', Math.min(query.page - 1, lastPage)]);
  if (query.page < lastPage) pages.push(['next', query.page + 1]);
  pages.push(['last', lastPage]);
  return pages
    .map(([relation, page]) => {
      const search = new URLSearchParams([...parameters, ['page', String(page)]]);
      return `<${path}?${search}>; rel="${relation}"`;
    })
    .join(', ');
}
