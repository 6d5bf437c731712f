import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from '../http/pages.js';

/** The portal as it was built. */
export interface Site {
  /** What every address of the portal answers; NONCE stands where that of the response goes. */
  index: string;
  /** In a frame of it: takes the identity provider's answer to a silent question. */
  signedInSilently: string;
  /** Files whose names change with them. */
  assets: Page[];
}

/** As the portal's build writes it. */
export const NONCE = '__CSP_NONCE__';

const BUILT = new URL('../../../portal/dist/site/', import.meta.url);
const MEDIA_TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

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
    assets: readdirSync(assets)
      .filter((name) => Object.hasOwn(MEDIA_TYPES, extname(name)))
      .map((name) => assetOf(name, assets)),
  };
}

function assetOf(name: string, folder: URL): Page {
  const read = (file: string) => readFileSync(new URL(file, folder));
  return {
    path: `/assets/${name}`,
    route: '/assets/:file',
    mediaType: MEDIA_TYPES[extname(name)] ?? '',
    content: read(name),
    encoded: { br: read(`${name}.br`), gzip: read(`${name}.gz`) },
    contentSecurityPolicy: "default-src 'none'; frame-ancestors 'none'",
    immutable: true,
  };
}
