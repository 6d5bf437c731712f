import { migration } from '@po/database';

export const FIRST_FAILURE = migration('FirstFailure1795200000000', async (runner) => {
  // Attempts end 48 hours after the first failure. The time since a mail was due does not matter, because this service may have been down.
  await runner.query('ALTER TABLE mails ADD COLUMN first_failed_at timestamptz(3)');
});
