import { MIMEType } from 'node:util';

/** A parsed `Content-Type`: its type in lower case, and whether it names UTF-8 as its charset. */
export interface MediaType {
  type: string;
  isUtf8: boolean;
}

/** Longer than any real one. Node's parser takes quadratic time in the spaces that a client sends. */
const MAX_LENGTH = 256;

/** Parses a media type; null if it is malformed or names another charset. Other parameters are ignored, as RFC 2045, section 5 says. */
export function mediaTypeOf(contentType: string): MediaType | null {
  if (contentType.length > MAX_LENGTH) return null;
  try {
    const { essence, params } = new MIMEType(contentType);
    const charset = params.get('charset');
    return charset === null || /^utf-?8$/i.test(charset) ? { type: essence, isUtf8: charset !== null } : null;
  } catch {
    return null;
  }
}
