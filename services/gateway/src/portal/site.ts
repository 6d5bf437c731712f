import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '../http/pages.js';
import { LICENCES, MEDIA_TYPES } from './rules.js';

/** The portal as it was built. */
export interface Site {
  /** What every address of the portal answers; NONCE stands where that of the response goes. */
  index: string;
  /** In a frame of it: takes the identity provider's answer to a silent question. */
  signedInSilently: string;
  /** Files whose names change with them, and the licences of what is in them. */
  files: Page[];
}

const BUILT = new URL('../../../portal/dist/site/', import.meta.url);

/** Reads the built portal into memory. Throws, saying how it is built, where there is none. */
export function readSite(folder: URL = BUILT): Site {
  if (!existsSync(new URL('index.html', folder))) {
    throw new Error(
      `PORTAL is true, but ${fileURLToPath(folder)} has no portal: node services/portal/build/build.ts builds it`,
    );
  }
  const assets = new URL('assets/', folder);
  return {
    index: readFileSync(new URL('index.html', folder), 'utf8'),
    signedInSilently: readFileSync(new URL('signed-in-silently.html', folder), 'utf8'),
    files: [
      ...readdirSync(assets)
        .filter((name) => Object.hasOwn(MEDIA_TYPES, extname(name)))
        .map((name) => assetOf(name, assets)),
      licences(folder),
    ],
  };
}

function assetOf(name: string, folder: URL): Page {
  return {
    path: `/assets/${name}`,
    route: '/assets/:file',
    mediaType: MEDIA_TYPES[extname(name)] ?? '',
    ...contentOf(name, folder),
    immutable: true,
  };
}

const licences = (folder: URL): Page => ({
  path: LICENCES,
  route: LICENCES,
  mediaType: 'text/plain; charset=utf-8',
  ...contentOf(LICENCES.slice(1), folder),
  immutable: false,
});

function contentOf(name: string, folder: URL): Pick<Page, 'content' | 'encoded'> {
  const read = (file: string) => readFileSync(new URL(file, folder));
  // Compressed in itself: the build writes no other forms of a picture.
  if (extname(name) === '.png') return { content: read(name) };
  return { content: read(name), encoded: { br: read(`${name}.br`), gzip: read(`${name}.gz`) } };
}
