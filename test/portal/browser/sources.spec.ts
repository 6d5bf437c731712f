import { describe, expect, it } from '@jest/globals';
import { browserSources } from './sources.js';

const linux = { platform: 'linux', arch: 'x64', installed: null } as const;
const installed = '/usr/bin/chromium';

describe('the browser that tests the portal', () => {
  it('is the installed one first, then one from npm, then one from Playwright', () => {
    expect(browserSources({ ...linux, installed }, null)).toEqual(['installed', 'npm', 'playwright']);
  });

  it('is fetched where none is installed', () => {
    expect(browserSources(linux, null)).toEqual(['npm', 'playwright']);
  });

  it.each([
    { platform: 'linux', arch: 'arm64' },
    { platform: 'darwin', arch: 'x64' },
    { platform: 'darwin', arch: 'arm64' },
    { platform: 'win32', arch: 'x64' },
  ] as const)('comes from Playwright on $platform $arch, which the npm package has no program for', (machine) => {
    expect(browserSources({ ...machine, installed: null }, null)).toEqual(['playwright']);
    expect(browserSources({ ...machine, installed }, null)).toEqual(['installed', 'playwright']);
  });

  it('is never the installed one with PO_BROWSER=fetched', () => {
    expect(browserSources({ ...linux, installed }, 'fetched')).toEqual(['npm', 'playwright']);
  });

  it('is never fetched with PO_BROWSER=installed', () => {
    expect(browserSources({ ...linux, installed }, 'installed')).toEqual(['installed']);
    expect(browserSources(linux, 'installed')).toEqual([]);
  });
});
