import { migration } from '@po/database';

export const FIRST_FAILURE = migration('FirstFailure1795200000000', async (runner) => {
  // Attempts end 48 hours after the first that failed. The time at which a mail was due says nothing of it: this service may have been away.
  await runner.query('ALTER TABLE mails ADD COLUMN first_failed_at timestamptz(3)');
});
