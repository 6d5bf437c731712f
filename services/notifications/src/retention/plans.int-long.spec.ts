import { beforeAll, describe, expect, it } from '@jest/globals';
import { inboxForTests } from '../fixtures/inbox.js';
import { STATEMENTS } from './purges.js';

const USERS = 100;
const ENTRIES = 400;

describe('each purge statement finds its rows by an index', () => {
  const inbox = inboxForTests();
  beforeAll(async () => {
    for (const table of ['notifications', 'transitions', 'watermarks', 'view_commands']) {
      await inbox.inspect(`ALTER TABLE ${table} SET (autovacuum_enabled = off)`);
    }
    await inbox.inspect(
      `INSERT INTO users SELECT 'user-' || u, 'VENDOR', 'ACME', NULL, NULL, now() FROM generate_series(1, ${USERS}) u`,
    );
    await inbox.inspect(
      `INSERT INTO transitions
       SELECT 'entry-' || n, 'PO', 'PO', 'ACME', 'Acme', NULL, 'APPROVE', 200, 300, 'Confirmed', '已确认', '#000', NULL, NULL, NULL,
              'SYSTEM', now(), true, 'none', 'TRANSITION', NULL, NULL, NULL, NULL, false FROM generate_series(1, ${ENTRIES * 10}) n`,
    );
    await inbox.inspect(
      `INSERT INTO notifications (user_id, audience, seq, history_id, kind, created_at, read_at)
       SELECT 'user-' || u, 'VENDOR:ACME', n, 'entry-' || n, 'TRANSITION', now(), CASE WHEN n % 2 = 0 THEN now() END
         FROM generate_series(1, ${USERS}) u, generate_series(1, ${ENTRIES}) n`,
    );
    await inbox.inspect(
      `INSERT INTO watermarks SELECT 'user-' || u, 'command-' || n, 'VENDOR:ACME', n, now()
         FROM generate_series(1, ${USERS}) u, generate_series(1, 100) n`,
    );
    await inbox.inspect(
      `INSERT INTO view_commands SELECT 'key-' || n, 'user-1', '', '', '{}', now() FROM generate_series(1, 10000) n`,
    );
  });

  // The generic plan, which PostgreSQL may use from the sixth execution on.
  const planOf = async (text: string) => {
    const lines = await inbox.inspect<{ 'QUERY PLAN': string }>(`EXPLAIN (GENERIC_PLAN) ${text}`);
    return lines.map((line) => line['QUERY PLAN']).join('\n');
  };

  it.each(STATEMENTS)('without PostgreSQL statistics: $name', async ({ text }) => {
    expect(await planOf(text)).not.toContain('Seq Scan');
  });

  it.each(STATEMENTS)('with PostgreSQL statistics: $name', async ({ text }) => {
    await inbox.inspect('ANALYZE');
    expect(await planOf(text)).not.toContain('Seq Scan');
  });
});
