import { MailAddress, PATTERNS } from '@po/contracts';
import { proxied } from '../operation.js';

export const mail = {
  listSuppressions: proxied({
    tag: 'Mail',
    summary: 'Addresses that get no mail because the mail server refused them, latest first.',
    description:
      'For administrators. A refused address gets no mail for 7 days, or permanently after the third refusal. At most 1,000.',
    method: 'GET',
    path: '/mail/suppressions',
    pattern: PATTERNS.suppressions,
    payload: () => ({}),
  }),

  deleteSuppression: proxied({
    tag: 'Mail',
    summary: 'Allows mail to an address again.',
    description: 'For administrators. Earlier refusals no longer count. The address is case-insensitive.',
    method: 'DELETE',
    path: '/mail/suppressions/:address',
    params: { address: { schema: MailAddress, refusal: 'SUPPRESSION_NOT_FOUND' } },
    conditions: 'key',
    pattern: PATTERNS.deleteSuppression,
    orderedBy: 'address',
    payload: ({ params }) => params,
  }),
};
