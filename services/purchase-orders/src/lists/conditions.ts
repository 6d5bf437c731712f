import { type Actor, type ListSelection, ME, type ReminderRule, STATUS, STATUSES } from '@po/contracts';
import { RULES, addresses } from '../domain/reminders/reminder-rules.js';
import type { Side } from '../domain/side.js';
import { dateOf } from './summary.view.js';
import { fold } from '../store/search-texts.js';
import type { Bind } from './query.js';

/** Conditions on orders `o` for a list's filters, without its search. A null `vendorCode` means all vendors. */
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

/** Orders with a buyer address that is not too long. PostgreSQL uses the partial index `list_buyer` only for this condition. */
export const HAS_BUYER = 'octet_length(o.buyer_email) <= 1000';
/** The buyer address, as the expression of that index. */
export const BUYER_KEY = 'lower(o.buyer_email)';

/** Orders of a buyer, given as a parameter. PostgreSQL converts to lower case, as it does where the buyer is notified. */
const boughtBy = (email: string): string => `${HAS_BUYER} AND ${BUYER_KEY} = lower(${email}::text)`;

/** Replaces the buyer "me" by the caller's address; if the caller has none, by '', which matches no order. */
export const resolveMe = <Query extends ListSelection>(query: Query, { email }: Pick<Actor, 'email'>): Query =>
  query.buyer === ME ? { ...query, buyer: email ?? '' } : query;

/** Orders with reminders: the condition of the partial indexes `list_due` and `reminders`. A spec compares it with the rules. */
export const HAS_REMINDERS = 'o.status_id < 600';
/** The due time of the earliest first step, as the expression of `list_due`. */
const FIRST_DUE_AT = 'LEAST(o.waiting_first_due_at, o.overdue_first_due_at)';

/** Orders for which the first step of one of the rules is due at `now`, a parameter. Rules for the other side match no order. */
function dueBy(rules: readonly ReminderRule[], side: Side, now: string): string {
  const due = rules
    .filter((rule) => addresses(rule, side))
    .map((rule) => {
      const column = rule === 'EX_FACTORY_OVERDUE' ? 'o.overdue_first_due_at' : 'o.waiting_first_due_at';
      return `o.status_id IN (${RULES[rule].statuses.join(', ')}) AND ${column} <= ${now}::timestamptz`;
    });
  if (due.length === 0) return `${now}::timestamptz IS NULL`;
  return `${HAS_REMINDERS} AND ${FIRST_DUE_AT} <= ${now}::timestamptz AND (${due.join(' OR ')})`;
}

/** Open orders. PostgreSQL uses the partial index `unshipped` only for this condition. A spec compares it with `isOpen`. */
export const UNSHIPPED = `o.status_id < ${STATUS.SHIPPED}`;

/** Open orders that should have left the factory before `day`, a parameter. */
export const overdueOn = (day: string): string => `o.xf_date < ${day}::date AND ${UNSHIPPED}`;

/** Whether a list has a filter besides vendor scope and search. Derived from the conditions, so that a new filter counts as well. */
export const isFiltered = (query: ListSelection): boolean =>
  conditionsOf(query, null, new Date(0), () => '').length > 0;

function statusIdsOf(labels: string[]): number[] {
  const wanted = new Set(labels.map(fold));
  return STATUSES.filter(({ status, statusZh }) => wanted.has(fold(status)) || wanted.has(fold(statusZh))).map(
    ({ statusId }) => statusId,
  );
}
