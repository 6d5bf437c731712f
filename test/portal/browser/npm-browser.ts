import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, mkdir, readFile, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { LaunchOptions } from 'playwright-core';
import { DEFAULT_DIR, childEnvironment } from '../../../deploy/local/config.js';
import { run } from '../../../deploy/local/processes/run.js';
import { withLock } from './with-lock.js';

/** Package versions and hashes, and the font configuration. */
const PACKAGES = join(import.meta.dirname, 'packages');
const INSTALL = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
/** Makes npm fail within seconds without a network, so that the next source is tried. */
const RETRIES = ['--fetch-retries=2', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=5000'];
/** The package's `inflate` unpacks into the folder for temporary files. */
const UNPACK = `
import { inflate } from '@sparticuz/chromium';
for (const name of ['chromium.br', 'swiftshader.tar.br', 'al2023.tar.br'])
  await inflate('node_modules/@sparticuz/chromium/bin/' + name);`;

const FONTS = 'fonts.conf';
const CACHE = join(DEFAULT_DIR, 'browser', 'npm');

/** A headless shell from npm packages with its libraries and fonts, downloaded once. Linux x64 only. */
export async function npmBrowser(): Promise<LaunchOptions> {
  const folder = await fetched();
  return {
    executablePath: join(folder, 'program', 'chromium'),
    env: childEnvironment({
      LD_LIBRARY_PATH: join(folder, 'program', 'al2023', 'lib'),
      FONTCONFIG_FILE: join(folder, FONTS),
    }),
  };
}

/** The folder with the fonts of the npm browser, and its fontconfig file. */
export async function npmFonts(): Promise<{ folder: string; file: string }> {
  const folder = await fetched();
  return { folder, file: join(folder, FONTS) };
}

async function fetched(): Promise<string> {
  const folder = join(CACHE, await hashOf(PACKAGES));
  if (!existsSync(folder))
    await withLock(`po-browser:${CACHE}`, async () => {
      if (!existsSync(folder)) await fetchInto(folder, CACHE);
    });
  return folder;
}

async function hashOf(folder: string): Promise<string> {
  const hash = createHash('sha256');
  for (const file of (await readdir(folder)).toSorted()) hash.update(await readFile(join(folder, file)));
  return hash.digest('hex').slice(0, 16);
}

async function fetchInto(folder: string, cache: string): Promise<void> {
  process.stderr.write(`fetching Chromium and fonts (115 MB, once) into ${cache}\n`);
  const part = `${folder}.part`;
  // Removes older versions and the leftovers of interrupted runs.
  await Promise.all((await readdir(cache).catch(() => [])).map((name) => rm(join(cache, name), { recursive: true })));
  const program = join(part, 'program');
  await cp(PACKAGES, part, { recursive: true });
  await mkdir(program);
  await run('npm', [...INSTALL, ...RETRIES], { cwd: part });
  await run(process.execPath, ['--input-type=module', '--eval', UNPACK], {
    cwd: part,
    env: childEnvironment({ TMPDIR: program }),
  });
  // The archives are unpacked now and take as much space again.
  await rm(join(part, 'node_modules', '@sparticuz'), { recursive: true });
  await rename(part, folder);
}
