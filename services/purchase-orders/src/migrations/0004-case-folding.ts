import { migration } from '@po/database';

/** Rows that one statement changes, so that it locks them for a short time. */
const BATCH = 500;
/** Texts as the search stores them now: İ in lower case has no combining dot, and Σ is the same at the end of a word. */
const folded = (column: string): string => `replace(replace(${column}, U&'i\\0307', 'i'), 'ς', 'σ')`;

const keysOf = (table: string, id: string, column: string): string => `
  UPDATE ${table} SET ${column} = ${folded(column)}
   WHERE ${id} IN (SELECT ${id} FROM ${table} WHERE ${column} <> ${folded(column)} LIMIT ${BATCH})`;

// Finds the orders by the index on the parts of their words.
const SEARCH_TEXTS = `
  WITH found AS (
         SELECT order_id FROM search_parts WHERE string_to_array(parts, E'\\n') && ARRAY[U&'i\\0307', 'ς'] LIMIT ${BATCH}),
       changed AS (
         UPDATE search_texts t SET text = ${folded('t.text')} FROM found WHERE found.order_id = t.order_id RETURNING t.order_id, t.text)
  UPDATE search_parts p
     SET parts = (SELECT string_agg(DISTINCT substr(word, place, length), E'\\n')
                    FROM regexp_split_to_table(changed.text, E'\\n') AS word, generate_series(1, length(word)) AS place,
                         generate_series(1, 2) AS length)
    FROM changed WHERE changed.order_id = p.order_id`;

const STATEMENTS = [
  keysOf('vendors', 'code', 'code_key'),
  keysOf('vendors', 'code', 'name_key'),
  keysOf('directory', 'user_id', 'name_key'),
  SEARCH_TEXTS,
];

/** Stored texts and keys with İ or a final Σ become those that a search for them has. */
export const CASE_FOLDING = migration(
  'CaseFolding1796800000000',
  async (runner) => {
    for (const statement of STATEMENTS) {
      let changed: number | undefined;
      do changed = (await runner.query(statement, [], true)).affected;
      while (changed);
    }
  },
  { transaction: false },
);
