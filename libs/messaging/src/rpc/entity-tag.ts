import { ProblemError } from '@po/contracts';

/** The entity tag of a version. */
export const etagOf = (version: number): string => `"${version}"`;

/** The tags of an `If-Match` or `If-None-Match` header (RFC 9110, 8.8.3: between their quotes commas and stars are part of a tag). */
export const tagsOf = (header: string): string[] => header.match(/\*|(?:W\/)?"[^"]*"/g) ?? [];

/**
 * VERSION_MISMATCH, with the current tag, when `If-Match` is there and names another version; else null. `*` does not match what does not
 * exist (RFC 9110, 13.1.1).
 */
export function stalenessOf(ifMatch: string | null, version: number, exists = true): ProblemError | null {
  if (ifMatch === null) return null;
  const tags = tagsOf(ifMatch);
  // Strong comparison: a weak tag never matches here.
  if ((exists && tags.includes('*')) || tags.includes(etagOf(version))) return null;
  return new ProblemError('VERSION_MISMATCH', { currentVersion: version }, { headers: { etag: etagOf(version) } });
}
