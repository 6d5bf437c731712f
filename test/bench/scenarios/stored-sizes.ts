import type pg from 'pg';
import { run } from '#local/processes/run.js';

export const MB = 1e6;

/** Bytes of a file, or of a folder and its contents. */
export const sizeOf = async (path: string): Promise<number> =>
  Number((await run('du', ['--bytes', '--summarize', path])).split('\t')[0]);

/** Tables of a database larger than one megabyte. */
export async function tableSizes(database: pg.Pool): Promise<object[]> {
  const { rows } = await database.query<{ table: string; heap: string; indexes: string }>(
    `SELECT current_database() || '.' || relname AS table, pg_table_size(oid) AS heap, pg_indexes_size(oid) AS indexes
       FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND pg_total_relation_size(oid) > ${MB}
      ORDER BY pg_total_relation_size(oid) DESC`,
  );
  return rows.map(({ table, heap, indexes }) => ({
    table,
    MB: Number(heap) / MB,
    'MB of indexes': Number(indexes) / MB,
  }));
}

/** Topics in this Kafka folder with more than one megabyte of records. */
export async function topicSizes(kafka: string): Promise<object[]> {
  const sizes = new Map<string, number>();
  const found = await run('find', [kafka, '-path', '*.v1-*', '-name', '*.log', '-printf', '%s %h\n']);
  for (const [, bytes = '', topic = ''] of found.matchAll(/^(\d+) .*\/([a-z.-]+\.v1)-\d+$/gm))
    sizes.set(topic, (sizes.get(topic) ?? 0) + Number(bytes));
  return [...sizes].filter(([, bytes]) => bytes > MB).map(([topic, bytes]) => ({ topic, MB: bytes / MB }));
}
