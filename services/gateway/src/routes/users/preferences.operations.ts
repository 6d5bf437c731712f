import { PATTERNS, PreferencesRequest } from '@po/contracts';
import { proxied } from '../operation.js';

export const preferences = {
  getPreferences: proxied({
    tag: 'Users',
    summary: 'How the caller is notified: the language of mails, and when they are sent.',
    description: [
      'Before the caller chose anything, the defaults of this installation in the language of the token; they have an entity tag, too.',
      'Answers of the API follow `Accept-Language`, whatever is chosen here.',
    ].join('\n'),
    headers: ['etag'],
    method: 'GET',
    path: '/me/preferences',
    pattern: PATTERNS.preferences,
    payload: () => ({}),
  }),

  replacePreferences: proxied({
    tag: 'Users',
    summary: 'Replaces how the caller is notified, all of it.',
    description:
      'Holds for notifications that are made from then on; mail that waits is not sent if its kind is `off` now.',
    method: 'PUT',
    path: '/me/preferences',
    body: PreferencesRequest,
    conditions: 'write',
    pattern: PATTERNS.replacePreferences,
    orderedBy: 'caller',
    payload: ({ body }) => body,
  }),
};
