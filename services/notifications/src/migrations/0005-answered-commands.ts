import { migration } from '@po/database';

/** `view_commands` also keeps what writes of preferences were answered; these columns are written no more, and dropped in a later release. */
export const ANSWERED_COMMANDS = migration('AnsweredCommands1796500000000', async (runner) => {
  await runner.query(`
    ALTER TABLE views ALTER COLUMN command_id DROP NOT NULL, ALTER COLUMN body_hash DROP NOT NULL;
    ALTER TABLE preferences ALTER COLUMN command_id DROP NOT NULL;`);
});
