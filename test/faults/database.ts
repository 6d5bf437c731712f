import pg from 'pg';
import type { DatabaseService } from '@po/testing/service-databases';
import type { FaultStack } from './stack.js';

export const databaseOf = ({ stack }: Pick<FaultStack, 'stack'>, name: DatabaseService): string =>
  stack.file().databaseUrls[name];

/** Rows of one statement over a connection of its own: PostgreSQL may have been killed since the last one. */
export async function rowsOf<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}
