/** The text that is percent-encoded in UTF-8 (RFC 3986, section 2.1); null if it is not. */
export function percentDecoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
