import type { Rule, Rules, Subject } from './rule.js';
import { OWN, ownVendorUsers, internalRoles, read } from './verdicts.js';

const UNKNOWN: Rule['verdicts'] = {
  ...ownVendorUsers('unknown'),
  'other vendor': 'unknown',
  ...internalRoles('unknown'),
};

const PARTS: readonly (readonly [part: string, of: keyof Subject['views'], verdicts: Rule['verdicts']])[] = [
  ['private', 'private', { ...UNKNOWN, 'own vendor': 'done' }],
  ['shared', 'shared', { ...UNKNOWN, 'own vendor': 'done', colleague: 'refused' }],
  ['shared by the BUYER', 'internal', { ...UNKNOWN, BUYER: 'done', ADMIN: 'done', VIEWER: 'refused' }],
];

const changes = (more: (shared: boolean) => Pick<Partial<Rule>, 'deletesResource'> & { body?: unknown }): Rule[] =>
  PARTS.map(([part, of, verdicts]) => {
    const { body, ...flags } = more(of !== 'private');
    const request = ({ views }: Subject) => ({ path: `/views/${views[of]}`, ...(body === undefined ? {} : { body }) });
    return { part, state: 'New', verdicts, request, ...flags };
  });

/** Rules for saved list filters, private or shared with all users on the same side. */
export const VIEWS: Rules = {
  listViews: [read(() => '/views', { ...OWN, ...ownVendorUsers('shown') })],
  createView: [
    {
      part: '',
      state: 'New',
      request: () => ({ path: '/views', body: { name: 'Late', query: { overdue: 'true' } } }),
      verdicts: { ...OWN, 'own vendor': 'done' },
    },
  ],
  replaceView: changes((shared) => ({ body: { name: 'Later', query: {}, shared } })),
  deleteView: changes(() => ({ deletesResource: true })),
};
