import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '../http/pages.js';
import { LICENCES, MEDIA_TYPES } from './rules.js';

/** The built portal. */
export interface Site {
  /** The page of every portal route; NONCE is the placeholder of the response's nonce. */
  index: string;
  /** The page in a frame that receives the identity provider's response to a silent sign-in. */
  signedInSilently: string;
  /** Files whose names change with their content, and the licences of the packages in them. */
  files: Page[];
}

const BUILT = new URL('../../../portal/dist/site/', import.meta.url);

/** Reads the built portal into memory. Throws an error with the build command if there is none. */
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
  // PNG is already compressed, so the build writes no other encodings of it.
  if (extname(name) === '.png') return { content: read(name) };
  return { content: read(name), encoded: { br: read(`${name}.br`), gzip: read(`${name}.gz`) } };
}
