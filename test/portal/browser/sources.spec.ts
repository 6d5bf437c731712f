import { describe, expect, it } from '@jest/globals';
import { browserSources } from './sources.js';

const linux = { platform: 'linux', arch: 'x64', installed: null } as const;
const installed = '/usr/bin/chromium';

describe('the sources of the test browser', () => {
  it('are the installed browser, then npm, then Playwright', () => {
    expect(browserSources({ ...linux, installed }, null)).toEqual(['installed', 'npm', 'playwright']);
  });

  it('are npm and Playwright if no browser is installed', () => {
    expect(browserSources(linux, null)).toEqual(['npm', 'playwright']);
  });

  it.each([
    { platform: 'linux', arch: 'arm64' },
    { platform: 'darwin', arch: 'x64' },
    { platform: 'darwin', arch: 'arm64' },
    { platform: 'win32', arch: 'x64' },
  ] as const)('exclude npm on $platform $arch, for which the package has no program', (machine) => {
    expect(browserSources({ ...machine, installed: null }, null)).toEqual(['playwright']);
    expect(browserSources({ ...machine, installed }, null)).toEqual(['installed', 'playwright']);
  });

  it('exclude the installed browser with PO_BROWSER=fetched', () => {
    expect(browserSources({ ...linux, installed }, 'fetched')).toEqual(['npm', 'playwright']);
  });

  it('exclude downloads with PO_BROWSER=installed', () => {
    expect(browserSources({ ...linux, installed }, 'installed')).toEqual(['installed']);
    expect(browserSources(linux, 'installed')).toEqual([]);
  });
});
