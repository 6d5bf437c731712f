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

/** A migration of these statements; `alone`: each in a transaction of its own. */
export function migrationOf(name: string, statements: Sample, { alone = false } = {}): Migration {
  const up: Up = async (runner) => {
    for (const each of statements) await (typeof each === 'string' ? runner.query(each) : each(runner));
  };
  return migration(name, up, { transaction: !alone });
}

/** What is there before each sample. */
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
  ['a column that is generated', 'ALTER TABLE history ADD COLUMN a integer GENERATED ALWAYS AS (n + 1) STORED'],
  ['a column that counts', 'ALTER TABLE history ADD COLUMN a serial'],
  ['another type', 'ALTER TABLE history ALTER COLUMN n TYPE bigint'],
  ['a narrower type', 'ALTER TABLE history ALTER COLUMN note TYPE varchar(10)'],
  ['an index anew', 'REINDEX TABLE history'],
  ['no rows any more', 'TRUNCATE history'],
];
const reads: [string, string][] = [
  ['an index', 'CREATE INDEX history_note ON history (note)'],
  ['a unique index', 'CREATE UNIQUE INDEX history_note ON history (note)'],
  ['an index by a function', `DO $$ BEGIN EXECUTE 'CREATE INDEX history_note ON history (note)'; END $$`],
  ['a unique constraint', 'ALTER TABLE history ADD UNIQUE (note)'],
  ['a check', 'ALTER TABLE history ADD CHECK (n > 0)'],
  ['a foreign key', 'ALTER TABLE history ADD FOREIGN KEY (order_id) REFERENCES orders'],
  ['a column that may not be null', 'ALTER TABLE history ALTER COLUMN note SET NOT NULL'],
  ['a column with a check', 'ALTER TABLE history ADD COLUMN a integer CHECK (a > 0)'],
  ['a lock, and a look at another table', 'ALTER TABLE orders ADD COLUMN a integer; SELECT count(*) FROM history'],
];
const changes: [string, string][] = [
  ['every row', 'UPDATE history SET n = 0'],
  ['rows by an index', 'DELETE FROM history WHERE n < 100'],
  ['rows by a function', 'DO $$ BEGIN UPDATE history SET n = 0; END $$'],
  ['rows with an answer', 'WITH gone AS (DELETE FROM history WHERE n < 100 RETURNING n) SELECT count(*) FROM gone'],
];
const BATCH = 'UPDATE history SET n = 0 WHERE id IN (SELECT id FROM history WHERE n IS NULL LIMIT 1000)';

/** One of each kind that must be refused. */
export const BAD: Bad[] = [
  ...rewrites.map(([what, sql]): Bad => ({ what, does: [sql], rule: 'rewrites' })),
  ...reads.map(([what, sql]): Bad => ({ what, does: [sql], rule: 'reads while others wait' })),
  ...reads.map(([what, sql]): Bad => ({
    what: `${what}, alone`,
    does: [sql],
    rule: 'reads while others wait',
    alone: true,
  })),
  ...changes.map(([what, sql]): Bad => ({ what, does: [sql], rule: 'changes rows at once' })),
  ...changes.map(([what, sql]): Bad => ({
    what: `${what}, alone`,
    does: [sql],
    rule: 'changes rows at once',
    alone: true,
  })),
  { what: 'batches in one transaction', does: [BATCH, BATCH], rule: 'changes rows at once' },
  {
    what: 'a constraint that is validated under the lock that added it',
    does: [
      'ALTER TABLE history ADD CONSTRAINT positive CHECK (n > 0) NOT VALID',
      'ALTER TABLE history VALIDATE CONSTRAINT positive',
    ],
    rule: 'reads while others wait',
  },
  {
    what: 'steps that cannot be done twice',
    does: ['ALTER TABLE history ADD COLUMN a integer', 'ALTER TABLE history ADD COLUMN b integer'],
    alone: true,
    rule: 'cannot begin anew',
  },
];

interface Good {
  what: string;
  does: Sample;
  alone?: boolean;
}

/** How the same is done. */
export const GOOD: Good[] = [
  {
    what: 'a column',
    does: ['ALTER TABLE history ADD COLUMN a integer, ADD COLUMN b text NOT NULL DEFAULT now()::text'],
  },
  { what: 'a wider type', does: ['ALTER TABLE history ALTER COLUMN note TYPE text'] },
  { what: 'a column that may be null', does: ['ALTER TABLE history ALTER COLUMN n DROP NOT NULL'] },
  { what: 'a column less', does: ['ALTER TABLE history DROP COLUMN note', 'DROP INDEX IF EXISTS history_n'] },
  { what: 'a check that binds new rows', does: ['ALTER TABLE history ADD CHECK (n > 0) NOT VALID'] },
  {
    what: 'a foreign key that binds new rows',
    does: ['ALTER TABLE history ADD FOREIGN KEY (n) REFERENCES orders NOT VALID'],
  },
  {
    what: 'its check of the old ones',
    does: [(runner) => validateConstraint(runner, 'history', 'of_order')],
    alone: true,
  },
  { what: 'NOT NULL that a validated check proves', does: ['ALTER TABLE history ALTER COLUMN n SET NOT NULL'] },
  {
    what: 'an index beside writers, and one less',
    does: [
      (runner) => createIndexConcurrently(runner, 'history_note', 'history (note)'),
      (runner) => dropIndexConcurrently(runner, 'history_n'),
    ],
    alone: true,
  },
  { what: 'batches', does: [BATCH, BATCH], alone: true },
  {
    what: 'a table of its own with all it needs',
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
