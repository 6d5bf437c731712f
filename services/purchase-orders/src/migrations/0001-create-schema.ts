import { migration } from '@po/database';
import { COMMANDS, SHORT_LIVED_COLUMNS } from './schema/commands.js';
import { CONVERSATION } from './schema/conversation.js';
import { LIST_INDEXES } from './schema/lists.js';
import { ORDERS } from './schema/orders.js';
import { APPROVAL_POLICIES } from './schema/policies.js';
import { SEARCH } from './schema/search.js';

const GRANTS = `
GRANT USAGE ON SCHEMA public TO po_internal, po_vendor;
GRANT SELECT ON migrations TO po_internal;
`;

export const CREATE_SCHEMA = migration('CreateSchema1796000000000', async (runner) => {
  for (const area of [GRANTS, ORDERS, LIST_INDEXES, SEARCH, COMMANDS, CONVERSATION, APPROVAL_POLICIES])
    await runner.query(area);
  const [{ lz4 }] = (await runner.query(
    `SELECT 'lz4' = ANY (enumvals) AS lz4 FROM pg_settings WHERE name = 'default_toast_compression'`,
  )) as [{ lz4: boolean }];
  const how = lz4 ? 'SET COMPRESSION lz4' : 'SET STORAGE EXTERNAL';
  for (const [table, column] of SHORT_LIVED_COLUMNS) await runner.query(`ALTER TABLE ${table} ALTER ${column} ${how}`);
});
