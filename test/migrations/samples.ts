import {
  type Migration,
  createIndexConcurrently,
  dropIndexConcurrently,
  migration,
  validateConstraint,
} from '@po/database';
import type { QueryRunner } from 'typeorm';
import type { Rule } from './rules.js';

type Up = (runner: QueryRunner) => Promise<unknown>;
export type Sample = (Up | string)[];

/** Migration of these statements; with `alone`, each runs in its own transaction. */
export function migrationOf(name: string, statements: Sample, { alone = false } = {}): Migration {
  const up: Up = async (runner) => {
    for (const each of statements) await (typeof each === 'string' ? runner.query(each) : each(runner));
  };
  return migration(name, up, { transaction: !alone });
}

/** Schema before each sample. */
export const BEFORE = migrationOf('Before1800000000000', [
  `CREATE TABLE orders (id integer PRIMARY KEY, status integer);
   CREATE TABLE history (id integer PRIMARY KEY, n integer, note varchar(20), order_id integer);
   CREATE INDEX history_n ON history (n);
   ALTER TABLE history ADD CONSTRAINT n_there CHECK (n IS NOT NULL);
   ALTER TABLE history ADD CONSTRAINT of_order FOREIGN KEY (order_id) REFERENCES orders NOT VALID`,
]);

interface Bad {
  what: string;
  does: Sample;
  alone?: boolean;
  rule: Rule;
}

const rewrites: [string, string][] = [
  ['a column with a default that differs by row', 'ALTER TABLE history ADD COLUMN a uuid DEFAULT gen_random_uuid()'],
  ['a generated column', 'ALTER TABLE history ADD COLUMN a integer GENERATED ALWAYS AS (n + 1) STORED'],
  ['a serial column', 'ALTER TABLE history ADD COLUMN a serial'],
  ['another column type', 'ALTER TABLE history ALTER COLUMN n TYPE bigint'],
  ['a narrower column type', 'ALTER TABLE history ALTER COLUMN note TYPE varchar(10)'],
  ['a rebuilt index', 'REINDEX TABLE history'],
  ['a truncated table', 'TRUNCATE history'],
];
const reads: [string, string][] = [
  ['an index', 'CREATE INDEX history_note ON history (note)'],
  ['a unique index', 'CREATE UNIQUE INDEX history_note ON history (note)'],
  ['an index that a DO block creates', `DO $$ BEGIN EXECUTE 'CREATE INDEX history_note ON history (note)'; END $$`],
  ['a unique constraint', 'ALTER TABLE history ADD UNIQUE (note)'],
  ['a check constraint', 'ALTER TABLE history ADD CHECK (n > 0)'],
  ['a foreign key', 'ALTER TABLE history ADD FOREIGN KEY (order_id) REFERENCES orders'],
  ['NOT NULL on a column', 'ALTER TABLE history ALTER COLUMN note SET NOT NULL'],
  ['a new column with a check', 'ALTER TABLE history ADD COLUMN a integer CHECK (a > 0)'],
  [
    'a scan of a table while another table is locked',
    'ALTER TABLE orders ADD COLUMN a integer; SELECT count(*) FROM history',
  ],
];
const changes: [string, string][] = [
  ['an update of every row', 'UPDATE history SET n = 0'],
  ['a deletion by an index', 'DELETE FROM history WHERE n < 100'],
  ['an update in a DO block', 'DO $$ BEGIN UPDATE history SET n = 0; END $$'],
  ['a deletion in a CTE', 'WITH gone AS (DELETE FROM history WHERE n < 100 RETURNING n) SELECT count(*) FROM gone'],
];
const BATCH = 'UPDATE history SET n = 0 WHERE id IN (SELECT id FROM history WHERE n IS NULL LIMIT 1000)';

/** Migrations that violate a rule. */
export const BAD: Bad[] = [
  ...rewrites.map(([what, sql]): Bad => ({ what, does: [sql], rule: 'rewrite' })),
  ...reads.map(([what, sql]): Bad => ({ what, does: [sql], rule: 'scan under a write-blocking lock' })),
  ...reads.map(([what, sql]): Bad => ({
    what: `${what}, in its own transaction`,
    does: [sql],
    rule: 'scan under a write-blocking lock',
    alone: true,
  })),
  ...changes.map(([what, sql]): Bad => ({ what, does: [sql], rule: 'unbounded change of rows' })),
  ...changes.map(([what, sql]): Bad => ({
    what: `${what}, in its own transaction`,
    does: [sql],
    rule: 'unbounded change of rows',
    alone: true,
  })),
  { what: 'batches in one transaction', does: [BATCH, BATCH], rule: 'unbounded change of rows' },
  {
    what: 'a constraint that is validated under the lock of its creation',
    does: [
      'ALTER TABLE history ADD CONSTRAINT positive CHECK (n > 0) NOT VALID',
      'ALTER TABLE history VALIDATE CONSTRAINT positive',
    ],
    rule: 'scan under a write-blocking lock',
  },
  {
    what: 'steps that cannot be repeated',
    does: ['ALTER TABLE history ADD COLUMN a integer', 'ALTER TABLE history ADD COLUMN b integer'],
    alone: true,
    rule: 'not restartable',
  },
];

interface Good {
  what: string;
  does: Sample;
  alone?: boolean;
}

/** Migrations that make similar changes without a violation. */
export const GOOD: Good[] = [
  {
    what: 'new columns, with one default for all rows',
    does: ['ALTER TABLE history ADD COLUMN a integer, ADD COLUMN b text NOT NULL DEFAULT now()::text'],
  },
  { what: 'a wider column type', does: ['ALTER TABLE history ALTER COLUMN note TYPE text'] },
  { what: 'a column that becomes nullable', does: ['ALTER TABLE history ALTER COLUMN n DROP NOT NULL'] },
  {
    what: 'a dropped column and a dropped index',
    does: ['ALTER TABLE history DROP COLUMN note', 'DROP INDEX IF EXISTS history_n'],
  },
  { what: 'a check constraint for new rows only', does: ['ALTER TABLE history ADD CHECK (n > 0) NOT VALID'] },
  {
    what: 'a foreign key for new rows only',
    does: ['ALTER TABLE history ADD FOREIGN KEY (n) REFERENCES orders NOT VALID'],
  },
  {
    what: 'the later validation of a foreign key',
    does: [(runner) => validateConstraint(runner, 'history', 'of_order')],
    alone: true,
  },
  { what: 'NOT NULL on a column with a validated check', does: ['ALTER TABLE history ALTER COLUMN n SET NOT NULL'] },
  {
    what: 'indexes created and dropped concurrently',
    does: [
      (runner) => createIndexConcurrently(runner, 'history_note', 'history (note)'),
      (runner) => dropIndexConcurrently(runner, 'history_n'),
    ],
    alone: true,
  },
  { what: 'batches in their own transactions', does: [BATCH, BATCH], alone: true },
  {
    what: 'any statement on a table that the migration creates',
    does: [
      'CREATE TABLE notes (id integer PRIMARY KEY, n integer)',
      'INSERT INTO notes VALUES (1, 1)',
      'UPDATE notes SET n = 2',
      'CREATE INDEX notes_n ON notes (n)',
      'ALTER TABLE notes ALTER COLUMN n TYPE bigint',
      'GRANT UPDATE ON history TO CURRENT_USER',
    ],
  },
];
