import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import type { Page } from '../http/pages.js';

const MEDIA_TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
};

const served = (path: string, content: Buffer): Page => ({
  path,
  route: path,
  mediaType: MEDIA_TYPES[extname(path)] ?? 'application/octet-stream',
  content,
  immutable: false,
});

/** A file served unchanged under `path`. */
export const fileAt = (path: string, file: URL): Page => served(path, readFileSync(file));

/** A file that pages load. Its path contains a hash of its content, so that browsers may cache it forever. */
export function assetOf(file: string | URL): Page {
  const content = readFileSync(file);
  const extension = extname(String(file));
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 12);
  const path = `/docs/assets/${basename(String(file), extension)}-${hash}${extension}`;
  return { ...served(path, content), route: '/docs/assets/:file', immutable: true };
}
