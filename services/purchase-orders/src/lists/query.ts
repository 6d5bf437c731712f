import type { Send, Statement } from '@po/database';

/** Binds a value to a statement, and returns its parameter. */
export type Bind = (value: unknown) => string;

/** A statement and its values. */
export interface Query {
  statement: Statement;
  values: unknown[];
}

/**
 * Builds a statement with the values that `text` binds. Unnamed on purpose: a generic plan, for any search text or vendor, would not use
 * the indexes that a plan for the actual values can use.
 */
export function buildQuery(text: (bind: Bind) => string): Query {
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  return { statement: { name: '', text: text(bind) }, values };
}

export const runQuery = <Row extends object>(read: Send, { statement, values }: Query): Promise<Row[]> =>
  read<Row>(statement, values);
