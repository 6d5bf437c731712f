import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { findChromium } from './chromium.js';

describe('the browser that the portal is tested in', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'chromium-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('is the one that is installed', async () => {
    await writeFile(join(folder, 'chromium-browser'), '', { mode: 0o755 });
    expect(findChromium(['/nowhere', folder])).toBe(join(folder, 'chromium-browser'));
  });

  it('is missed with the line that installs it', async () => {
    await writeFile(join(folder, 'chromium'), 'no program', { mode: 0o644 });
    expect(() => findChromium([folder])).toThrow(
      /no Chromium.*apt-get install chromium .*chromium, .* in \/.*chromium-/,
    );
    expect(() => findChromium([])).toThrow('apt-get install chromium');
  });
});
