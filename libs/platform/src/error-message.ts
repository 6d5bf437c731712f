/**
 * Message of an error. If no address of a host name answers, Node.js throws an AggregateError without a message; then returns the messages
 * of at most four addresses.
 */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const errors: unknown = 'errors' in error ? error.errors : [];
  const each = Array.isArray(errors) ? errors.slice(0, 4).map(messageOf).join('; ') : '';
  return error.message || each || error.name;
}
