import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findInstalled, installedPlaces } from './installed.js';

describe('the installed browser', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chromium-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const inFolder = () => installedPlaces('linux', folder).filter((place) => place.startsWith(folder));

  it('is found as a program on the PATH', async () => {
    await writeFile(join(folder, 'chromium-browser'), '', { mode: 0o755 });
    expect(findInstalled(inFolder())).toBe(join(folder, 'chromium-browser'));
  });

  it('is never a file without execute permission', async () => {
    await writeFile(join(folder, 'chromium'), 'no program', { mode: 0o644 });
    expect(findInstalled(inFolder())).toBeNull();
    expect(findInstalled([])).toBeNull();
  });

  it('is searched in /usr/bin, on the PATH, and where installers put it', () => {
    expect(installedPlaces('linux', ['/opt/bin', ''].join(delimiter))).toEqual(
      ['/usr/bin', '/opt/bin'].flatMap((place) =>
        ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'].map((name) => join(place, name)),
      ),
    );
    expect(installedPlaces('darwin', '')).toContain('/Applications/Google Chrome.app/Contents/MacOS/Google Chrome');
    expect(installedPlaces('win32', '')).toContain('C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe');
  });
});
