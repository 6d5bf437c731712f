import { activeSpan, traced } from '@po/platform';

/** A statement with the name that it is prepared under, or a bare text. */
type Sent = { name: string; text: string } | string;

/** Span attributes of a database. */
export interface DatabaseAttributes {
  'db.namespace': string | undefined;
}

/** Returns the database name, and no other part of the URL, because the URL has a password. */
export const databaseAttributes = (url: string): DatabaseAttributes => ({
  'db.namespace': URL.canParse(url) ? new URL(url).pathname.slice(1) || undefined : undefined,
});

/** Runs a statement in its own span if the active span is recorded. */
export function inStatementSpan<T>(database: DatabaseAttributes, statement: Sent, work: () => Promise<T>): Promise<T> {
  if (!activeSpan()) return work();
  const summary = summaryOf(statement);
  return traced('statement', summary, { ...database, 'db.query.summary': summary }, work);
}

/** Runs a transaction in its own span, with its statements below, if the active span is recorded. */
export function inTransactionSpan<T>(database: DatabaseAttributes, name: string, work: () => Promise<T>): Promise<T> {
  return activeSpan() ? traced('transaction', name, { ...database }, work) : work();
}

// The name of a statement, or else its first word: the text is long and may be built from request data.
function summaryOf(statement: Sent): string {
  if (typeof statement !== 'string' && statement.name !== '') return statement.name;
  const text = typeof statement === 'string' ? statement : statement.text;
  return /[A-Za-z]+/.exec(text)?.[0].toUpperCase() ?? 'SQL';
}
