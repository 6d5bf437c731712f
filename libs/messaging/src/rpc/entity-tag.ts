import { ProblemError } from '@po/contracts';

/** The entity tag of a version. */
export const etagOf = (version: number): string => `"${version}"`;

/** The tags of an `If-Match` or `If-None-Match` header. Commas and asterisks in quotes are part of a tag (RFC 9110, 8.8.3). */
export const tagsOf = (header: string): string[] => header.match(/\*|(?:W\/)?"[^"]*"/g) ?? [];

/**
 * VERSION_MISMATCH with the current tag if `If-Match` is present and names another version; else null. `*` matches only an existing
 * resource (RFC 9110, 13.1.1).
 */
export function stalenessOf(ifMatch: string | null, version: number, exists = true): ProblemError | null {
  if (ifMatch === null) return null;
  const tags = tagsOf(ifMatch);
  // Strong comparison: a weak tag never matches here.
  if ((exists && tags.includes('*')) || tags.includes(etagOf(version))) return null;
  return new ProblemError('VERSION_MISMATCH', { currentVersion: version }, { headers: { etag: etagOf(version) } });
}
