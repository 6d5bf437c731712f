import type { Rule, Rules, Subject } from './rule.js';
import { OWN, everyone, ownVendorUsers, read, rule } from './verdicts.js';

const UNKNOWN = everyone('unknown');

const PARTS: readonly (readonly [part: string, of: keyof Subject['views'], verdicts: Rule['verdicts']])[] = [
  ['private', 'private', { ...UNKNOWN, 'own vendor': 'done' }],
  ['shared', 'shared', { ...UNKNOWN, 'own vendor': 'done', colleague: 'refused' }],
  ['shared by the BUYER', 'internal', { ...UNKNOWN, BUYER: 'done', ADMIN: 'done', VIEWER: 'refused' }],
];

const changes = (more: (shared: boolean) => Pick<Partial<Rule>, 'deletesResource'> & { body?: unknown }): Rule[] =>
  PARTS.map(([part, of, verdicts]) => {
    const { body, ...flags } = more(of !== 'private');
    const request = ({ views }: Subject) => ({ path: `/views/${views[of]}`, ...(body === undefined ? {} : { body }) });
    return rule(request, verdicts, { part, state: 'New', ...flags });
  });

/** Rules for saved list filters, private or shared with all users on the same side. */
export const VIEWS: Rules = {
  listViews: [read(() => '/views', { ...OWN, ...ownVendorUsers('shown') })],
  createView: [
    rule(
      () => ({ path: '/views', body: { name: 'Late', query: { overdue: 'true' } } }),
      { ...OWN, 'own vendor': 'done' },
      { state: 'New' },
    ),
  ],
  replaceView: changes((shared) => ({ body: { name: 'Later', query: {}, shared } })),
  deleteView: changes(() => ({ deletesResource: true })),
};
