import { migrate } from '@po/database';
import { createLogger } from '@po/platform';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type OpenInbox, openInbox } from '../fixtures/inbox.js';
import { MIGRATIONS } from '../migrations/migrations.js';
import { Databases } from './databases.js';

const logger = createLogger('test', 'silent');
const names = MIGRATIONS.map((migration) => new migration().name);

describe('the schema', () => {
  let inbox: OpenInbox;
  beforeEach(async () => {
    inbox = await openInbox({ migrated: false });
  });
  afterEach(() => inbox.close());

  it('keeps the service unready until all migrations have run', async () => {
    await expect(inbox.databases.requireSchema()).rejects.toThrow('relation "migrations" does not exist');
    await migrate(inbox.urls.migrations, MIGRATIONS, logger);
    await expect(inbox.databases.requireSchema()).resolves.toBeUndefined();
    await inbox.inspect('DELETE FROM migrations WHERE name = $1', [names[0]]);
    await expect(inbox.databases.requireSchema()).rejects.toThrow(`missing migrations: ${names[0]}`);
  });

  it('forces row-level security on every table with user data, and no role of the service owns one', async () => {
    await migrate(inbox.urls.migrations, MIGRATIONS, logger);
    const tables = await inbox.inspect<{ name: string; forced: boolean; owner: string }>(
      `SELECT relname AS name, relrowsecurity AND relforcerowsecurity AS forced, relowner::regrole::text AS owner FROM pg_class
        WHERE relnamespace = 'public'::regnamespace
          AND relname IN ('users', 'transitions', 'notifications', 'watermarks', 'inboxes', 'preferences', 'views',
                          'view_commands', 'message_authors') ORDER BY relname`,
    );
    expect(tables.map(({ forced }) => forced)).toEqual(Array.from({ length: 9 }, () => true));
    expect(new Set(tables.map(({ owner }) => owner))).toEqual(new Set(['notifications_migrator']));
  });

  it('is not served with a role that bypasses row-level security', async () => {
    const { internal, migrations } = inbox.urls;
    const databases = new Databases({ internalUrl: internal, userUrl: migrations, poolSize: 1, logger });
    await expect(databases.connect()).rejects.toThrow('notifications_migrator bypasses row-level security');
    await databases.close();
  });

  it('is not served to users with the role that sees the rows of all users', async () => {
    const { internal, user, migrations } = inbox.urls;
    await migrate(migrations, MIGRATIONS, logger);
    const databases = new Databases({ internalUrl: user, userUrl: internal, poolSize: 1, logger });
    await expect(databases.connect()).rejects.toThrow('notifications_internal sees every row');
    await databases.close();
  });
});
