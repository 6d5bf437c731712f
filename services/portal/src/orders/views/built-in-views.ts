import type { StatusLabel } from '@po/contracts/constants';
import { dueRulesOf } from '../../components/order/next-due.js';
import { ME, type OrdersSearch } from '../filters/search.js';

export type BuiltInView = 'all' | 'waiting' | 'mine' | 'due' | 'overdue' | 'changed';

const APPROVAL: StatusLabel[] = ['Pending Approval'];
/** Statuses in which an order waits for a role; none for read-only roles. */
const WAITING: Record<string, StatusLabel[]> = { VENDOR: ['New', 'In Revision'], BUYER: APPROVAL, ADMIN: APPROVAL };

/** Whether the order waits for the vendor and the user is a vendor. */
export const waitsForVendor = (role: string | undefined, { status }: { status: string }): boolean =>
  role === 'VENDOR' && WAITING[role]?.some((label) => label === status) === true;

/** `role` is undefined until loaded. */
export function builtInViews(role: string | undefined): [BuiltInView, OrdersSearch][] {
  const status = WAITING[role ?? ''];
  const views: [BuiltInView, OrdersSearch | false][] = [
    ['all', {}],
    ['waiting', status !== undefined && { status }],
    ['mine', role !== undefined && role !== 'VENDOR' && { buyer: ME }],
    ['due', role !== undefined && { due: [...dueRulesOf(role)] }],
    ['overdue', { overdue: true, sortField: 'xfDate' }],
    ['changed', { hasPendingChanges: true }],
  ];
  return views.flatMap(([name, search]) => (search ? [[name, search]] : []));
}
