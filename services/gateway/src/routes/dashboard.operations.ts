import { PATTERNS } from '@po/contracts';
import { proxied } from './operation.js';

export const dashboard = {
  getKpis: proxied({
    tag: 'Dashboard',
    summary: 'The number of orders in each status.',
    description: 'Only orders that the caller may see. May lag slightly behind the last write.',
    method: 'GET',
    path: '/dashboard/kpis',
    pattern: PATTERNS.kpis,
    payload: () => ({}),
  }),

  getRecentActivity: proxied({
    tag: 'Dashboard',
    summary: 'The last 20 status changes, newest first.',
    description:
      'Only orders that the caller may see, without imports and transitions to the same status. May lag slightly behind the last write.',
    method: 'GET',
    path: '/dashboard/recent-activity',
    pattern: PATTERNS.recentActivity,
    payload: () => ({}),
  }),

  getSchedule: proxied({
    tag: 'Dashboard',
    summary: 'Orders by ex-factory date for twelve weeks from now, and the vendors with the most overdue orders.',
    description:
      'Only orders that the caller may see, as of now. Weeks begin on Monday; the current week counts as a whole. Orders are overdue as in ' +
      "the list's `overdue` filter, and may also be in the current week.",
    method: 'GET',
    path: '/dashboard/schedule',
    pattern: PATTERNS.schedule,
    payload: () => ({}),
  }),

  getApprovals: proxied({
    tag: 'Dashboard',
    summary: 'How many orders were approved in the last 30 days, and how many of them by an approval policy.',
    description: 'Only orders that the caller may see. An order that was approved twice counts twice.',
    method: 'GET',
    path: '/dashboard/approvals',
    pattern: PATTERNS.approvals,
    payload: () => ({}),
  }),
};
