import { migration } from '@po/database';

/** `view_commands` also has the idempotency records of preferences. These columns are no longer written; a later release drops them. */
export const ANSWERED_COMMANDS = migration('AnsweredCommands1796500000000', async (runner) => {
  await runner.query(`
    ALTER TABLE views ALTER COLUMN command_id DROP NOT NULL, ALTER COLUMN body_hash DROP NOT NULL;
    ALTER TABLE preferences ALTER COLUMN command_id DROP NOT NULL;`);
});
