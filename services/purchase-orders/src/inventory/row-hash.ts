import { hash } from 'node:crypto';

/**
 * Identifies a line across re-sends: the first 32 hex digits of SHA-256 over poRef, code, style, color and size (trimmed, in
 * NFC, as the inventory contract leaves them), joined by U+001F. Unique across orders; it never serves as authorization.
 */
export function rowHashOf(
  poNumber: string,
  line: { code: string; style: string; color: string; size: string },
): string {
  const parts = [poNumber, line.code, line.style, line.color, line.size];
  return hash('sha256', parts.join('\u001f')).slice(0, 32);
}
