import { PATTERNS } from '@po/contracts';
import { relayed } from './operation.js';

export const dashboard = {
  getKpis: relayed({
    tag: 'Dashboard',
    summary: 'How many orders are in each status.',
    description: "Of the caller's scope; a moment behind the last write.",
    method: 'GET',
    path: '/dashboard/kpis',
    pattern: PATTERNS.kpis,
    ask: () => ({}),
  }),

  getRecentActivity: relayed({
    tag: 'Dashboard',
    summary: 'The last 20 status changes, newest first.',
    description:
      "Of the caller's scope; a moment behind the last write. Imports and acts that left the status are not among them.",
    method: 'GET',
    path: '/dashboard/recent-activity',
    pattern: PATTERNS.recentActivity,
    ask: () => ({}),
  }),
};
