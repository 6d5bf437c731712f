import { type BrowserChoice, CHOICES } from './sources.js';

/** PO_BROWSER: which browsers the tests of the portal may use; null for any. Throws for a value that is unknown. */
export function browserChoice(): BrowserChoice | null {
  const value = process.env.PO_BROWSER;
  if (!value) return null;
  const choice = CHOICES.find((known) => known === value);
  if (choice === undefined) throw new Error(`PO_BROWSER must be one of ${CHOICES.join(', ')}, not "${value}"`);
  return choice;
}

/** The folders that programs are searched in. */
export const searchPath = (): string => process.env.PATH ?? '';
