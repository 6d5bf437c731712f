import { migration } from '@po/database';
import { CHOICES } from './schema/choices.js';
import { COUNTS } from './schema/counts.js';
import { INBOX } from './schema/inbox.js';

const GRANTS = `
GRANT USAGE ON SCHEMA public TO notifications_internal, notifications_user;
GRANT SELECT ON migrations TO notifications_internal;
`;

export const CREATE_SCHEMA = migration('CreateSchema1796000000000', async (runner) => {
  for (const area of [GRANTS, INBOX, COUNTS, CHOICES]) await runner.query(area);
});
