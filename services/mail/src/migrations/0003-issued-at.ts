import { migration } from '@po/database';

/** Issue time of the token that described the recipient; NULL if the announcement had none. */
export const ISSUED_AT = migration('IssuedAt1796300000000', async (runner) => {
  await runner.query('ALTER TABLE recipients ADD COLUMN issued_at timestamptz(3)');
});
