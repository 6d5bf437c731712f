import type { Send, Statement } from '@po/database';

/** Binds a value to a statement; gives its parameter. */
export type Bind = (value: unknown) => string;

/** A statement and its values. */
export interface Query {
  statement: Statement;
  values: unknown[];
}

/**
 * Composes a statement with the values that are bound meanwhile. Unnamed on purpose: a prepared plan for any search text or any vendor
 * would not use the indexes that the given one can.
 */
export function buildQuery(text: (bind: Bind) => string): Query {
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  return { statement: { name: '', text: text(bind) }, values };
}

export const runQuery = <Row extends object>(read: Send, { statement, values }: Query): Promise<Row[]> =>
  read<Row>(statement, values);
