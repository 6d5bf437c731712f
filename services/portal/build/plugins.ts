import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const COMPRESSIBLE = /\.(js|css|svg|txt)$/;
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } };

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** A script that runs before the first paint. Modules run later, and the CSP allows no inline scripts. */
export function firstPaint(): Plugin {
  const source = readFileSync(new URL('../src/theme/first-paint.js', import.meta.url), 'utf8');
  const fileName = `assets/first-paint-${createHash('sha256').update(source).digest('hex').slice(0, 8)}.js`;
  let path = '/src/theme/first-paint.js';
  return {
    name: 'first-paint',
    configResolved({ command }) {
      if (command === 'build') path = `/${fileName}`;
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName, source });
    },
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { path: page }) =>
        page === '/index.html' ? [{ tag: 'script', attrs: { src: path }, injectTo: 'head-prepend' }] : [],
    },
  };
}

/** Maps the URL of the silent sign-in page to its file in development; in production the gateway does that. */
export function silentPage(): Plugin {
  return {
    name: 'silent-page',
    configureServer({ middlewares }) {
      middlewares.use((request, _response, next) => {
        request.url = request.url?.replace(/^\/signed-in\/silently(?=\?|$)/, '/signed-in-silently.html');
        next();
      });
    },
  };
}

/** Writes `.br` and `.gz` beside every text file, at maximum compression: the gateway does not compress the portal itself. */
export function compressFiles(): Plugin {
  return {
    name: 'compressed',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      const texts = Object.values(bundle).filter(({ fileName }) => COMPRESSIBLE.test(fileName));
      await Promise.all(
        texts.map(async (file) => {
          const bytes = Buffer.from(file.type === 'chunk' ? file.code : file.source);
          await writeFile(join(dir, `${file.fileName}.br`), await brotli(bytes, BROTLI));
          await writeFile(join(dir, `${file.fileName}.gz`), await zip(bytes, { level: 9 }));
        }),
      );
    },
  };
}
