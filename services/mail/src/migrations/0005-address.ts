import { migration } from '@po/database';

/** Address of the recipient, and when it was seen: the previous release sees recipients without storing it. */
export const ADDRESS = migration('Address1796800000000', async (runner) => {
  await runner.query('ALTER TABLE recipients ADD COLUMN email text, ADD COLUMN email_at timestamptz(3)');
});
