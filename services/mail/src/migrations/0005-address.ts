import { DELETED_ROLE, migration } from '@po/database';

/**
 * Address of the recipient, and when it was seen: the previous release sees recipients without storing it. The trigger forgets the address
 * of a user whom the previous release deletes, during a rollout or after a rollback.
 */
export const ADDRESS = migration('Address1796800000000', async (runner) => {
  await runner.query(`
    ALTER TABLE recipients ADD COLUMN email text, ADD COLUMN email_at timestamptz(3);
    CREATE FUNCTION forget_address() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.email := NULL;
        RETURN NEW;
      END $$;
    CREATE TRIGGER forget_address BEFORE UPDATE ON recipients
      FOR EACH ROW WHEN (NEW.role = '${DELETED_ROLE}') EXECUTE FUNCTION forget_address();`);
});
