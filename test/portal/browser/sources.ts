/** What PO_BROWSER may say: of Chromium the machine's own only, or never that one; or another browser. */
export const CHOICES = ['installed', 'fetched', 'firefox'] as const;
export type BrowserChoice = (typeof CHOICES)[number];
export type ChromiumChoice = Exclude<BrowserChoice, 'firefox'>;

/** The machine's own, one from npm packages, one that Playwright downloads. */
export type BrowserSource = 'installed' | 'npm' | 'playwright';

export interface Machine {
  platform: NodeJS.Platform;
  arch: NodeJS.Architecture;
  /** The machine's own browser. */
  installed: string | null;
}

/** Where a Chromium can come from, in the order in which it is tried. */
export function browserSources(machine: Machine, choice: ChromiumChoice | null): BrowserSource[] {
  const { platform, arch, installed } = machine;
  const sources: BrowserSource[] = [];
  if (installed !== null && choice !== 'fetched') sources.push('installed');
  if (choice === 'installed') return sources;
  // The npm package has the program of this one platform.
  if (platform === 'linux' && arch === 'x64') sources.push('npm');
  return [...sources, 'playwright'];
}
