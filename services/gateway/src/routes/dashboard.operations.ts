import { PATTERNS } from '@po/contracts';
import { proxied } from './operation.js';

export const dashboard = {
  getKpis: proxied({
    tag: 'Dashboard',
    summary: 'How many orders are in each status.',
    description: "Of the caller's scope; a moment behind the last write.",
    method: 'GET',
    path: '/dashboard/kpis',
    pattern: PATTERNS.kpis,
    payload: () => ({}),
  }),

  getRecentActivity: proxied({
    tag: 'Dashboard',
    summary: 'The last 20 status changes, newest first.',
    description:
      "Of the caller's scope; a moment behind the last write. Imports and acts that left the status are not among them.",
    method: 'GET',
    path: '/dashboard/recent-activity',
    pattern: PATTERNS.recentActivity,
    payload: () => ({}),
  }),

  getSchedule: proxied({
    tag: 'Dashboard',
    summary: 'Which ex-factory dates the next twelve weeks have, and whose orders are overdue.',
    description:
      "Of the caller's scope, as it is now. Weeks begin on Monday; the present one counts as a whole. An order is overdue as the list's " +
      '`overdue` filter has it, and may also be in the present week.',
    method: 'GET',
    path: '/dashboard/schedule',
    pattern: PATTERNS.schedule,
    payload: () => ({}),
  }),

  getApprovals: proxied({
    tag: 'Dashboard',
    summary: 'How many orders were approved in the last 30 days, and how many of them by an approval policy.',
    description: "Of the caller's scope. An order that was approved twice counts twice.",
    method: 'GET',
    path: '/dashboard/approvals',
    pattern: PATTERNS.approvals,
    payload: () => ({}),
  }),
};
