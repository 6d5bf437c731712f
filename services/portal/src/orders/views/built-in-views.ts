import { dueRulesOf } from '../../components/order/next-due.js';
import { ME, type OrdersSearch } from '../filters/search.js';

export type BuiltInView = 'all' | 'waiting' | 'approval' | 'mine' | 'due' | 'late' | 'changed';

const WAITING_FOR_VENDOR = ['New', 'In Revision'];

/** Whether the order waits for the vendor and the user is a vendor. */
export const waitsForVendor = (role: string | undefined, { status }: { status: string }): boolean =>
  role === 'VENDOR' && WAITING_FOR_VENDOR.includes(status);

/** `role` is undefined until loaded. */
export function builtInViews(role: string | undefined): [BuiltInView, OrdersSearch][] {
  const views: [BuiltInView, OrdersSearch | false][] = [
    ['all', {}],
    ['waiting', role === 'VENDOR' && { status: WAITING_FOR_VENDOR }],
    ['approval', (role === 'BUYER' || role === 'ADMIN') && { status: ['Pending Approval'] }],
    ['mine', role !== undefined && role !== 'VENDOR' && { buyer: ME }],
    ['due', role !== undefined && { due: [...dueRulesOf(role)] }],
    ['late', { overdue: true, sortField: 'xfDate' }],
    ['changed', { hasPendingChanges: true }],
  ];
  return views.flatMap(([name, search]) => (search ? [[name, search]] : []));
}
