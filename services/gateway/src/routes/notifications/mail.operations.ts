import { MailAddress, PATTERNS } from '@po/contracts';
import { proxied } from '../operation.js';

export const mail = {
  listSuppressions: proxied({
    tag: 'Mail',
    summary: 'Addresses that get no mail, because the mail server refused them; the latest first.',
    description:
      'For administrators. A refused address gets no mail for 7 days, after the third refusal none at all. At most 1,000.',
    method: 'GET',
    path: '/mail/suppressions',
    pattern: PATTERNS.suppressions,
    payload: () => ({}),
  }),

  deleteSuppression: proxied({
    tag: 'Mail',
    summary: 'Sends mail to an address again.',
    description: 'For administrators. Earlier refusals do not count any more. Upper and lower case make no difference.',
    method: 'DELETE',
    path: '/mail/suppressions/:address',
    params: { address: { schema: MailAddress, refusal: 'SUPPRESSION_NOT_FOUND' } },
    pattern: PATTERNS.deleteSuppression,
    orderedBy: 'address',
    payload: ({ params }) => params,
  }),
};
