import { PATTERNS, PreferencesRequest } from '@po/contracts';
import { proxied } from '../operation.js';

export const preferences = {
  getPreferences: proxied({
    tag: 'Users',
    summary: "The caller's notification preferences: the language of mails, and when they are sent.",
    description: [
      'Until the caller replaces them, the defaults of this installation in the language of the token; the defaults have an entity tag, too.',
      'The language of API answers depends only on `Accept-Language`.',
    ].join('\n'),
    headers: ['etag'],
    method: 'GET',
    path: '/me/preferences',
    pattern: PATTERNS.preferences,
    payload: () => ({}),
  }),

  replacePreferences: proxied({
    tag: 'Users',
    summary: 'Replaces all notification preferences of the caller.',
    description:
      'Applies to notifications that are created from then on. A waiting mail is not sent if its kind is now `off`.',
    method: 'PUT',
    path: '/me/preferences',
    body: PreferencesRequest,
    conditions: 'write',
    pattern: PATTERNS.replacePreferences,
    orderedBy: 'caller',
    payload: ({ body }) => body,
  }),
};
