/** Values of PO_BROWSER: only the installed Chromium, never the installed Chromium, or Firefox. */
export const CHOICES = ['installed', 'fetched', 'firefox'] as const;
export type BrowserChoice = (typeof CHOICES)[number];
export type ChromiumChoice = Exclude<BrowserChoice, 'firefox'>;

/** The installed browser, one from npm packages, or one that Playwright downloads. */
export type BrowserSource = 'installed' | 'npm' | 'playwright';

export interface Machine {
  platform: NodeJS.Platform;
  arch: NodeJS.Architecture;
  /** Path of the installed browser; null if there is none. */
  installed: string | null;
}

/** The sources of a Chromium in the order in which they are tried. */
export function browserSources(machine: Machine, choice: ChromiumChoice | null): BrowserSource[] {
  const { platform, arch, installed } = machine;
  const sources: BrowserSource[] = [];
  if (installed !== null && choice !== 'fetched') sources.push('installed');
  if (choice === 'installed') return sources;
  // The npm package has a program for this platform only.
  if (platform === 'linux' && arch === 'x64') sources.push('npm');
  return [...sources, 'playwright'];
}
