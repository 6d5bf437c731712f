import { dueRulesOf } from '../../components/order/next-due.js';
import { ME, type OrdersSearch } from '../filters/search.js';

export type GivenView = 'all' | 'waiting' | 'mine' | 'due' | 'late' | 'changed';

/** What waits for somebody of that role to go on; nothing waits for those who only read. */
const WAITING: Readonly<Record<string, readonly string[]>> = {
  VENDOR: ['New', 'In Revision'],
  BUYER: ['Pending Approval'],
  ADMIN: ['Pending Approval'],
};

/** Whether it is the turn of a vendor, and somebody of a vendor looks. */
export const waitsForVendor = (role: string | undefined, { status }: { status: string }): boolean =>
  role === 'VENDOR' && WAITING[role]?.includes(status) === true;

/** `role`: undefined until it is known. */
export function givenViews(role: string | undefined): [GivenView, OrdersSearch][] {
  const waiting = WAITING[role ?? ''];
  const views: [GivenView, OrdersSearch | false][] = [
    ['all', {}],
    ['waiting', waiting !== undefined && { status: [...waiting] }],
    ['mine', role !== undefined && role !== 'VENDOR' && { buyer: ME }],
    ['due', role !== undefined && { due: [...dueRulesOf(role)] }],
    ['late', { overdue: true, sortField: 'xfDate' }],
    ['changed', { hasPendingChanges: true }],
  ];
  return views.flatMap(([name, search]) => (search ? [[name, search]] : []));
}
