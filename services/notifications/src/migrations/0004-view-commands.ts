import { migration } from '@po/database';
import { ownRows } from './schema/access.js';

/** Idempotency records of requests for new views. */
export const VIEW_COMMANDS = migration('ViewCommands1796400000000', async (runner) => {
  await runner.query(`
    CREATE TABLE view_commands (
      key_hash text PRIMARY KEY,
      user_id text NOT NULL,
      command_id text NOT NULL,
      body_hash text NOT NULL,
      response json NOT NULL,
      created_at timestamptz(3) NOT NULL
    );
    CREATE INDEX view_commands_user ON view_commands (user_id);
    CREATE INDEX view_commands_age ON view_commands (created_at);
    ${ownRows('view_commands')}
    GRANT SELECT, DELETE ON view_commands TO notifications_internal;
    GRANT SELECT, INSERT, UPDATE ON view_commands TO notifications_user;`);
});
