import { migration } from '@po/database';

/** A deleted user's inboxes are deleted with them: they say in which role, and of which vendor, somebody was. */
export const DELETE_INBOXES = migration('DeleteInboxes1796100000000', async (runner) => {
  await runner.query('GRANT DELETE ON inboxes TO notifications_internal');
});
