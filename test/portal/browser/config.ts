import { type BrowserChoice, CHOICES } from './sources.js';

/** The value of PO_BROWSER: the browsers that portal tests may use; null for any. Throws for an unknown value. */
export function browserChoice(): BrowserChoice | null {
  const value = process.env.PO_BROWSER;
  if (!value) return null;
  const choice = CHOICES.find((known) => known === value);
  if (choice === undefined) throw new Error(`PO_BROWSER must be one of ${CHOICES.join(', ')}, not "${value}"`);
  return choice;
}

/** The PATH on which programs are searched; empty if not set. */
export const searchPath = (): string => process.env.PATH ?? '';
