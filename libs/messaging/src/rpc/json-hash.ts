import { createHash } from 'node:crypto';

/** Hexadecimal SHA-256 of JSON with sorted keys, so that equal values have equal hashes. Keys set to undefined count as absent. */
export function hashOfJson(value: unknown): string {
  const json = JSON.stringify(value, (_key, inner: unknown) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
  return createHash('sha256').update(json).digest('hex');
}
