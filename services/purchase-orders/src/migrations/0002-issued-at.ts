import { migration } from '@po/database';

/** Issue time of the token that described a user; NULL if its announcement did not include it. */
export const ISSUED_AT = migration('IssuedAt1796300000000', async (runner) => {
  await runner.query('ALTER TABLE directory ADD COLUMN issued_at timestamptz');
});
