import { ActionsParameters, Me, PATTERNS } from '@po/contracts';
import { custom, proxied } from './operation.js';

export const lookups = {
  listAvailableActions: proxied({
    tag: 'Lookups',
    summary: 'What a role may do with an order in a status.',
    description: 'The rules as they are for everybody; `availableActions` of an order has them for the caller.',
    method: 'GET',
    path: '/lookups/actions',
    query: ActionsParameters,
    pattern: PATTERNS.actions,
    payload: ({ query }) => query,
  }),

  getFilters: proxied({
    tag: 'Lookups',
    summary: 'The statuses, vendors and buyers that the list can be filtered by.',
    description: 'Statuses in the order of the workflow, with their labels in both languages and their colors.',
    method: 'GET',
    path: '/po-filters',
    pattern: PATTERNS.filters,
    payload: () => ({}),
  }),
};

export const getCurrentUser = custom({
  tag: 'Lookups',
  summary: 'Who the caller is, what their role can ever do, and how many notifications wait for them.',
  description: 'As the token says; permissions are the actions that the role can take in some status.',
  method: 'GET',
  path: '/me',
  reply: Me,
});
