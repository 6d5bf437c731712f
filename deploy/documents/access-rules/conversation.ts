import { DEMO_USERS } from '#local/demo/users.js';
import type { Rule, Rules, Subject } from './rule.js';
import { ORDER, everyone, ownVendorUsers, read, rule } from './verdicts.js';

const WRITERS: Rule['verdicts'] = { ...everyone('done'), 'other vendor': 'unknown', VIEWER: 'refused' };

const pathOf = ({ poRef }: Subject) => `/purchase-orders/${poRef}/messages`;
const post = (part: string, visibility: string, verdicts: Rule['verdicts']) =>
  rule((subject) => ({ path: pathOf(subject), body: { body: `for ${visibility}`, visibility } }), verdicts, { part });

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
