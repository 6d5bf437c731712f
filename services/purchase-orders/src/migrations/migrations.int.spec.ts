import { expect, test } from '@jest/globals';
import { PATTERNS, type PurchaseOrderList } from '@po/contracts';
import { migrate } from '@po/database';
import { createLogger } from '@po/platform';
import { actors } from '@po/testing/actors';
import { contextOf, exampleOrder, listQuery, ordersDatabaseForTests, storeOrder } from '../fixtures/orders-database.js';
import { CASE_FOLDING } from './0004-case-folding.js';
import { MIGRATIONS } from './migrations.js';

const database = ordersDatabaseForTests();

test('every table with rows of orders has forced row-level security', async () => {
  const rows = await database.inspect<{ relname: string }>(
    `SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
        AND NOT (relrowsecurity AND relforcerowsecurity) ORDER BY relname`,
  );
  // Neither table has data of an order, and the vendor's role has no rights on them.
  expect(rows.map(({ relname }) => relname)).toEqual(['migrations', 'outbox_leases']);
});

test('case folding: texts that were stored with i and a combining dot, or with a final ς, are found', async () => {
  const order = exampleOrder('PO-1', { vendorCode: 'İPEK ΦΟΡΕΜΑΣ' });
  const [line] = order.lines;
  await storeOrder(database, { ...order, lines: [{ ...line!, style: 'DİKİŞ ΦΟΡΕΜΑΣ' }] });
  const old = (column: string) => `${column} = replace(replace(${column}, 'φορεμασ', 'φορεμας'), 'i', 'i\u0307')`;
  await database.inspect(`UPDATE vendors SET ${old('code_key')}, ${old('name_key')}`);
  await database.inspect(`UPDATE search_texts SET ${old('text')}`);
  await database.inspect("UPDATE search_parts SET parts = 'i\u0307'");
  const found = async (query: Parameters<typeof listQuery>[0]) => {
    const { body } = await database.queries.list(listQuery(query), contextOf(actors.buyer, PATTERNS.list.type));
    return (body as PurchaseOrderList).data.length;
  };
  const queries = [
    { search: 'dikiş' },
    { search: 'ik' },
    { search: 'ΦΟΡΕΜΑΣ' },
    { search: 'ş ' },
    { vendor: 'ipek ΦΟΡΕΜΑΣ' },
  ];
  for (const query of queries) expect([query, await found(query)]).toEqual([query, 0]);
  await database.inspect('DELETE FROM migrations WHERE name = $1', [new CASE_FOLDING().name]);
  await migrate(database.urls.migrations, MIGRATIONS, createLogger('test', 'silent'));
  for (const query of queries) expect([query, await found(query)]).toEqual([query, 1]);
});
