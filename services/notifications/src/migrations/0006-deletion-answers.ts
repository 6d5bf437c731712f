import { migration } from '@po/database';

/** `view_commands` also has the idempotency records of user deletions, which the internal role writes. */
export const DELETION_ANSWERS = migration('DeletionAnswers1796600000000', async (runner) => {
  await runner.query('GRANT INSERT, UPDATE ON view_commands TO notifications_internal');
});
