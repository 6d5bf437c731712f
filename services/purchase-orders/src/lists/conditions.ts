import { type Actor, type ListSelection, ME, type ReminderRule, STATUS, STATUSES } from '@po/contracts';
import { RULES, type Side, addresses } from '../domain/reminders/reminder-rules.js';
import { dateOf } from './summary.view.js';
import { fold } from '../store/search-texts.js';
import type { Bind } from './query.js';

/** The conditions on orders `o` of a list's filters but for its search, within a vendor's scope, or of all vendors for null. */
export function conditionsOf(query: ListSelection, vendorCode: string | null, now: Date, bind: Bind): string[] {
  const found: string[] = [];
  if (vendorCode !== null) found.push(`o.vendor_code = ${bind(vendorCode)}`);
  if (query.status?.length) found.push(`o.status_id = ANY(${bind(statusIdsOf(query.status))}::smallint[])`);
  const vendor = query.vendor?.trim();
  if (vendor) {
    const key = bind(fold(vendor));
    found.push(`o.vendor_code = ANY(ARRAY(SELECT code FROM vendors WHERE name_key = ${key} OR code_key = ${key}))`);
  }
  if (query.buyer !== undefined) found.push(boughtBy(bind(query.buyer)));
  if (query.poRef !== undefined) found.push(`o.po_number = ANY(${bind(query.poRef)}::text[])`);
  if (query.overdue !== undefined) {
    const overdue = overdueOn(bind(dateOf(now)));
    found.push(query.overdue ? overdue : `NOT (${overdue})`);
  }
  if (query.hasPendingChanges !== undefined)
    found.push(`${query.hasPendingChanges ? '' : 'NOT '}o.has_pending_changes`);
  if (query.hasSourceConflict !== undefined)
    found.push(`${query.hasSourceConflict ? '' : 'NOT '}o.has_source_conflict`);
  if (query.due?.length) {
    found.push(dueBy(query.due, vendorCode === null ? 'internal' : 'vendor', bind(now)));
  }
  return found;
}

/** Of an order with a buyer's address, but for texts too long to be one. PostgreSQL uses the partial index `list_buyer` only for it. */
export const BOUGHT = 'octet_length(o.buyer_email) <= 1000';
/** A buyer's address, as that index has it. */
export const BUYER_KEY = 'lower(o.buyer_email)';

/** Of an order of this buyer, a parameter. Lower case is PostgreSQL's, as it is where the buyer is notified. */
const boughtBy = (email: string): string => `${BOUGHT} AND ${BUYER_KEY} = lower(${email}::text)`;

/** The query by an address in the place of "me"; no order has an empty one. */
export const withBuyer = <Query extends ListSelection>(query: Query, { email }: Pick<Actor, 'email'>): Query =>
  query.buyer === ME ? { ...query, buyer: email ?? '' } : query;

/** Of an order that is reminded of, as the partial indexes `list_due` and `reminders` have it; its spec compares it with the rules. */
export const REMINDED = 'o.status_id < 600';
/** The earliest first step of its rules, as such an index has it. */
const FIRST_DUE_AT = 'LEAST(o.waiting_first_due_at, o.overdue_first_due_at)';

/** Of an order for which the first step of one of the rules is due at a time, a parameter; the rules of the other side have none. */
function dueBy(rules: readonly ReminderRule[], side: Side, now: string): string {
  const due = rules
    .filter((rule) => addresses(rule, side))
    .map((rule) => {
      const column = rule === 'EX_FACTORY_OVERDUE' ? 'o.overdue_first_due_at' : 'o.waiting_first_due_at';
      return `o.status_id IN (${RULES[rule].statuses.join(', ')}) AND ${column} <= ${now}::timestamptz`;
    });
  if (due.length === 0) return `${now}::timestamptz IS NULL`;
  return `${REMINDED} AND ${FIRST_DUE_AT} <= ${now}::timestamptz AND (${due.join(' OR ')})`;
}

/** Of an open order. PostgreSQL uses the partial index `unshipped` only for this condition; its spec compares it with `isOpen`. */
export const UNSHIPPED = `o.status_id < ${STATUS.SHIPPED}`;

/** Of an order that should have left the factory before this day, a parameter. */
export const overdueOn = (day: string): string => `o.xf_date < ${day}::date AND ${UNSHIPPED}`;

/** Whether a list has a filter beside a vendor's scope and a search. Derived from the conditions: a new filter counts at once. */
export const isFiltered = (query: ListSelection): boolean =>
  conditionsOf(query, null, new Date(0), () => '').length > 0;

function statusIdsOf(labels: string[]): number[] {
  const wanted = new Set(labels.map(fold));
  return STATUSES.filter(({ status, statusZh }) => wanted.has(fold(status)) || wanted.has(fold(statusZh))).map(
    ({ statusId }) => statusId,
  );
}
