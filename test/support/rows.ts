import pg from 'pg';

/** Rows of one statement on its own connection, because PostgreSQL may have been killed since the previous one. */
export async function rowsOf<Row extends pg.QueryResultRow>(
  url: string,
  sql: string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<Row>(sql, [...values])).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}
