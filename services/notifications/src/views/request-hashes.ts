import { createHash } from 'node:crypto';
import type { Actor, ViewRequest } from '@po/contracts';

const sha256 = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/** The key of a request for a new view, which each user has in each role of their own. */
export const keyHashOf = ({ sub, role, vendorCode }: Actor, key: string): string =>
  sha256([sub, role, vendorCode, key]);

/** What a key is bound to: bodies that say the same have the same hash. */
export function bodyHashOf({ name, query, columns, shared }: ViewRequest): string {
  const parameters = Object.entries(query).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return sha256([name, parameters, columns, shared]);
}
