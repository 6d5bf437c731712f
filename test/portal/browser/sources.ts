/** What PO_BROWSER may say: the machine's own browser only, or never that one. */
export const CHOICES = ['installed', 'fetched'] as const;
export type BrowserChoice = (typeof CHOICES)[number];

/** The machine's own, one from npm packages, one that Playwright downloads. */
export type BrowserSource = 'installed' | 'npm' | 'playwright';

export interface Machine {
  platform: NodeJS.Platform;
  arch: NodeJS.Architecture;
  /** The machine's own browser. */
  installed: string | null;
}

/** Where a browser can come from, in the order in which it is tried. */
export function browserSources(machine: Machine, choice: BrowserChoice | null): BrowserSource[] {
  const { platform, arch, installed } = machine;
  const sources: BrowserSource[] = [];
  if (installed !== null && choice !== 'fetched') sources.push('installed');
  if (choice === 'installed') return sources;
  // The npm package has the program of this one platform.
  if (platform === 'linux' && arch === 'x64') sources.push('npm');
  return [...sources, 'playwright'];
}
