import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const PORTAL = fileURLToPath(new URL('..', import.meta.url));
const STAMP = `${PORTAL}dist/built-from.txt`;

/** Hash of all files that the build depends on. */
function fingerprint(): string {
  const own = ['{build,src}/**/*', '*.html', 'package.json'];
  const files = [...own, '../../libs/{client,contracts,spreadsheets}/src/**/*', '../../package-lock.json'].flatMap(
    (pattern) => globSync(pattern, { cwd: PORTAL }),
  );
  const hash = createHash('sha256');
  for (const file of files.toSorted()) {
    if (statSync(PORTAL + file).isFile())
      hash
        .update(file)
        .update('\0')
        .update(readFileSync(PORTAL + file));
  }
  return hash.digest('hex');
}

const stamped = (): string | null =>
  existsSync(STAMP) && existsSync(`${PORTAL}dist/site/index.html`) ? readFileSync(STAMP, 'utf8') : null;

const wanted = fingerprint();
if (stamped() !== wanted) {
  await build({ configFile: fileURLToPath(new URL('vite.config.ts', import.meta.url)), logLevel: 'warn' });
  writeFileSync(STAMP, wanted);
}
