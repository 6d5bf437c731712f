import { DEMO_USERS } from '#local/demo/users.js';
import type { Rule, Rules, Subject } from './rule.js';
import { ORDER, ownVendorUsers, internalRoles, read } from './verdicts.js';

const WRITERS: Rule['verdicts'] = {
  ...ownVendorUsers('done'),
  'other vendor': 'unknown',
  ...internalRoles('done'),
  VIEWER: 'refused',
};

const pathOf = ({ poRef }: Subject) => `/purchase-orders/${poRef}/messages`;
const post = (part: string, visibility: string, verdicts: Rule['verdicts']): Rule => ({
  part,
  state: 'Pending Approval',
  verdicts,
  request: (subject) => ({ path: pathOf(subject), body: { body: `for ${visibility}`, visibility } }),
});

/** Rules for the messages about an order. */
export const CONVERSATION: Rules = {
  listMessages: [read(pathOf, ORDER)],
  postMessage: [
    post('for all', 'all', WRITERS),
    post('internal', 'internal', { ...WRITERS, ...ownVendorUsers('refused') }),
  ],
  getMessage: [
    read(({ messages }) => `/purchase-orders/${messages.poRef}/messages/${messages.shown}`, ORDER, { part: 'for all' }),
    read(
      ({ messages }) => `/purchase-orders/${messages.poRef}/messages/${messages.internal}`,
      { ...ORDER, ...ownVendorUsers('unknown') },
      { part: 'internal' },
    ),
  ],
  listParticipants: [
    read(
      ({ poRef }) =>
        `/purchase-orders/${poRef}/participants?limit=50&q=${encodeURIComponent(DEMO_USERS['vendor:ACME'].name)}`,
      ORDER,
    ),
  ],
};
