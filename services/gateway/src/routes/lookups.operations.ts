import { ActionsParameters, Me, PATTERNS } from '@po/contracts';
import { custom, proxied } from './operation.js';

export const lookups = {
  listAvailableActions: proxied({
    tag: 'Lookups',
    summary: 'The actions that a role may take on an order in a status.',
    description: 'The general rules; `availableActions` of an order has the actions that the caller may take.',
    method: 'GET',
    path: '/lookups/actions',
    query: ActionsParameters,
    pattern: PATTERNS.actions,
    payload: ({ query }) => query,
  }),

  getFilters: proxied({
    tag: 'Lookups',
    summary: 'The statuses, vendors and buyers that the list can be filtered by.',
    description: 'Statuses are in the order of the workflow, with labels in both languages and colors.',
    method: 'GET',
    path: '/po-filters',
    pattern: PATTERNS.filters,
    payload: () => ({}),
  }),
};

export const getCurrentUser = custom({
  tag: 'Lookups',
  summary: 'The caller, with the permissions of their role and the number of unread notifications.',
  description:
    'User, role and vendor are those of the token. `permissions` are the actions that the role can take in some status.',
  method: 'GET',
  path: '/me',
  reply: Me,
});
