import { ProblemError } from '@po/contracts';

/** The entity tag of a version. */
export const etagOf = (version: number): string => `"${version}"`;

/** The tags of an `If-Match` or `If-None-Match` header. */
export const tagsOf = (header: string): string[] => header.split(',').map((tag) => tag.trim());

/** VERSION_MISMATCH, with the current tag, when `If-Match` is there and names another version; else null. */
export function stalenessOf(ifMatch: string | null, version: number): ProblemError | null {
  if (ifMatch === null) return null;
  const tags = tagsOf(ifMatch);
  // Strong comparison: a weak tag never matches here.
  if (tags.includes('*') || tags.includes(etagOf(version))) return null;
  return new ProblemError('VERSION_MISMATCH', { currentVersion: version }, { headers: { etag: etagOf(version) } });
}
