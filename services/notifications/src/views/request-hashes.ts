import { createHash } from 'node:crypto';
import type { Actor, ViewRequest } from '@po/contracts';

const sha256 = (value: unknown): string => createHash('sha256').update(JSON.stringify(value)).digest('hex');

/** The id of the view that a request makes: a repeated request makes the same one, and nobody else's request does. */
export function viewIdOf(side: string, ownerId: string, key: string): string {
  const hex = sha256([side, ownerId, key]);
  // RFC 9562, version 8.
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

/** The key of a request for a new view, which each user has in each role of their own. */
export const keyHashOf = ({ sub, role, vendorCode }: Actor, key: string): string =>
  sha256([sub, role, vendorCode, key]);

/** What a key is bound to: bodies that say the same have the same hash. */
export function bodyHashOf({ name, query, columns, shared }: ViewRequest): string {
  const parameters = Object.entries(query).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return sha256([name, parameters, columns, shared]);
}
