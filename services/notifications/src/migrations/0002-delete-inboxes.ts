import { migration } from '@po/database';

/** Allows the deletion of a deleted user's inboxes, because they reveal the user's former role and vendor. */
export const DELETE_INBOXES = migration('DeleteInboxes1796100000000', async (runner) => {
  await runner.query('GRANT DELETE ON inboxes TO notifications_internal');
});
