/** Values of PO_BROWSER: only the installed Chromium, never the installed Chromium, or Firefox. */
const CHOICES = ['installed', 'fetched', 'firefox'] as const;
type BrowserChoice = (typeof CHOICES)[number];
export type ChromiumChoice = Exclude<BrowserChoice, 'firefox'>;

/** The value of PO_BROWSER: the browsers that portal tests may use; null for any. Throws for an unknown value. */
export function browserChoice(): BrowserChoice | null {
  const value = process.env.PO_BROWSER;
  if (!value) return null;
  const choice = CHOICES.find((known) => known === value);
  if (choice === undefined) throw new Error(`PO_BROWSER must be one of ${CHOICES.join(', ')}, not "${value}"`);
  return choice;
}
