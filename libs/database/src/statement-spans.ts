import { activeSpan, traced } from '@po/platform';

/** Text, and the name that it is prepared under; some have none. */
type Sent = { name: string; text: string } | string;

/** Span attributes of a database. */
export interface Traced {
  'db.namespace': string | undefined;
}

/** The database's name; nothing else of its URL, which holds a password. */
export const tracedAs = (url: string): Traced => ({
  'db.namespace': URL.canParse(url) ? new URL(url).pathname.slice(1) || undefined : undefined,
});

/** Runs a statement in a span of its own, if it belongs to one that is kept. */
export function inStatementSpan<T>(database: Traced, statement: Sent, work: () => Promise<T>): Promise<T> {
  if (!activeSpan()) return work();
  const summary = summaryOf(statement);
  return traced('statement', summary, { ...database, 'db.query.summary': summary }, work);
}

/** The same for a transaction, with its statements below it. */
export function inTransactionSpan<T>(database: Traced, name: string, work: () => Promise<T>): Promise<T> {
  return activeSpan() ? traced('transaction', name, { ...database }, work) : work();
}

// The name that a statement was given, else its first word: a text may be made of what was asked for, and is long.
function summaryOf(statement: Sent): string {
  if (typeof statement !== 'string' && statement.name !== '') return statement.name;
  const text = typeof statement === 'string' ? statement : statement.text;
  return /[A-Za-z]+/.exec(text)?.[0].toUpperCase() ?? 'SQL';
}
