import { PATTERNS } from '@po/contracts';
import { relayed } from './operation.js';

export const dashboard = {
  getKpis: relayed({
    tag: 'Dashboard',
    summary: 'How many orders are in each status.',
    method: 'GET',
    path: '/dashboard/kpis',
    pattern: PATTERNS.kpis,
    ask: () => ({}),
  }),

  getRecentActivity: relayed({
    tag: 'Dashboard',
    summary: 'The last 20 status changes, newest first.',
    method: 'GET',
    path: '/dashboard/recent-activity',
    pattern: PATTERNS.recentActivity,
    ask: () => ({}),
  }),
};
