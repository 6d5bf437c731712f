/**
 * True for SQLSTATE classes 22 (data exception), 23 (integrity constraint violation) and 54 (program limit exceeded, such as the maximum
 * index row size): the content is at fault, not the store.
 */
export function isRefusedByStore(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^(?:22|23|54)[0-9A-Z]{3}$/.test(code);
}

/** True for a programming error, which a retry is unlikely to resolve. */
export function isDefect(error: unknown): error is Error {
  return error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
}

/** True if every retry with the same content would fail too: the store refuses it, or the code has a defect. */
export const isPermanent = (error: unknown): boolean => isRefusedByStore(error) || isDefect(error);
