import { ProblemError } from '@po/contracts';

/** The entity tag of an order's version. */
export const etagOf = (version: number): string => `"${version}"`;

/** VERSION_MISMATCH, with the current tag, when `If-Match` is there and names another version; else null. */
export function stalenessOf(ifMatch: string | null, version: number): ProblemError | null {
  if (ifMatch === null) return null;
  const tags = tagsOf(ifMatch);
  // Strong comparison: a weak tag never matches here.
  if (tags.includes('*') || tags.includes(etagOf(version))) return null;
  return new ProblemError('VERSION_MISMATCH', { currentVersion: version }, { headers: { etag: etagOf(version) } });
}

/** True when `If-None-Match` says that the caller has this version already. */
export function hasVersion(ifNoneMatch: string | null, version: number): boolean {
  const tags = ifNoneMatch === null ? [] : tagsOf(ifNoneMatch).map((tag) => tag.replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etagOf(version));
}

const tagsOf = (header: string): string[] => header.split(',').map((tag) => tag.trim());
