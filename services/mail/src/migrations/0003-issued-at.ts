import { migration } from '@po/database';

/** When the token was issued that described a recipient; NULL where its announcement did not tell. */
export const ISSUED_AT = migration('IssuedAt1796300000000', async (runner) => {
  await runner.query('ALTER TABLE recipients ADD COLUMN issued_at timestamptz(3)');
});
