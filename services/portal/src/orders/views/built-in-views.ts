import { dueRulesOf } from '../../components/order/next-due.js';
import { ME, type OrdersSearch } from '../filters/search.js';

export type BuiltInView = 'all' | 'waiting' | 'mine' | 'due' | 'late' | 'changed';

/** Statuses in which an order waits for a role; none for read-only roles. */
const WAITING: Readonly<Record<string, readonly string[]>> = {
  VENDOR: ['New', 'In Revision'],
  BUYER: ['Pending Approval'],
  ADMIN: ['Pending Approval'],
};

/** Whether the order waits for the vendor and the user is a vendor. */
export const waitsForVendor = (role: string | undefined, { status }: { status: string }): boolean =>
  role === 'VENDOR' && WAITING[role]?.includes(status) === true;

/** `role` is undefined until loaded. */
export function builtInViews(role: string | undefined): [BuiltInView, OrdersSearch][] {
  const waiting = WAITING[role ?? ''];
  const views: [BuiltInView, OrdersSearch | false][] = [
    ['all', {}],
    ['waiting', waiting !== undefined && { status: [...waiting] }],
    ['mine', role !== undefined && role !== 'VENDOR' && { buyer: ME }],
    ['due', role !== undefined && { due: [...dueRulesOf(role)] }],
    ['late', { overdue: true, sortField: 'xfDate' }],
    ['changed', { hasPendingChanges: true }],
  ];
  return views.flatMap(([name, search]) => (search ? [[name, search]] : []));
}
