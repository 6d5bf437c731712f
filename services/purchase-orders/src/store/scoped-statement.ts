import type { Statement } from '@po/database';
import type { Access } from './databases.js';

/**
 * A statement in the caller's scope, with its values. `own(column)` is the condition that restricts rows to the caller's vendor.
 * Two texts instead of one with OR, so that each is planned with the indexes that it can use.
 */
export function scoped(
  { vendorCode }: Access,
  name: string,
  values: readonly unknown[],
  text: (own: (column: string) => string) => string,
): { statement: Statement; values: unknown[] } {
  if (vendorCode === null) return { statement: { name, text: text(() => 'true') }, values: [...values] };
  const position = values.length + 1;
  return {
    statement: { name: `${name}-of-vendor`, text: text((column) => `${column} = $${position}`) },
    values: [...values, vendorCode],
  };
}
