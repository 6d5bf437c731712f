import { etagOf, tagsOf } from '@po/messaging';

/** True if `If-None-Match` says that the caller already has this version. */
export function hasVersion(ifNoneMatch: string | null, version: number): boolean {
  const tags = ifNoneMatch === null ? [] : tagsOf(ifNoneMatch).map((tag) => tag.replace(/^W\//, ''));
  return tags.includes('*') || tags.includes(etagOf(version));
}
