import type { Send, Statement } from '@po/database';

/** Binds a value to a statement; gives its parameter. */
export type Bind = (value: unknown) => string;

/** A statement and its values. */
export interface Question {
  statement: Statement;
  values: unknown[];
}

/**
 * Composes a statement with the values that are bound meanwhile. Unnamed on purpose: a prepared plan for any search text or any vendor
 * would not use the indexes that the given one can.
 */
export function question(text: (bind: Bind) => string): Question {
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  return { statement: { name: '', text: text(bind) }, values };
}

export const ask = <Row extends object>(read: Send, { statement, values }: Question): Promise<Row[]> =>
  read<Row>(statement, values);
