import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Rolldown, build } from 'vite';

/** Limit of the first load, until the list of orders is usable, in kB compressed by gzip. */
const BUDGET_KB = 240;
/** Smaller files count towards the total but get no line of their own in the report. */
const MIN_LISTED_KB = 5;
/** The route that the first load includes in addition to the page itself. */
const FIRST_ROUTE = 'src/orders/orders-page.tsx';

const PORTAL = fileURLToPath(new URL('..', import.meta.url));
const STAMP = `${PORTAL}dist/built-from.txt`;

/** Hash of all files that the build depends on. */
function fingerprint(): string {
  const own = ['{build,src}/**/*', '*.html', 'package.json'];
  const files = [...own, '../../libs/{client,spreadsheets}/src/**/*', '../../package-lock.json'].flatMap((pattern) =>
    globSync(pattern, { cwd: PORTAL }),
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

/** Names of the chunks that are loaded with this one, including itself. */
function withImports(name: string, chunks: ReadonlyMap<string, Rolldown.OutputChunk>, found = new Set<string>()) {
  const chunk = chunks.get(name);
  if (!chunk || found.has(name)) return found;
  found.add(name);
  for (const next of chunk.imports) withImports(next, chunks, found);
  return found;
}

/** One line for each large file of the first load, and the total. */
function report(output: readonly (Rolldown.OutputChunk | Rolldown.OutputAsset)[]): string {
  const chunks = new Map(output.filter((file) => file.type === 'chunk').map((chunk) => [chunk.fileName, chunk]));
  const find = (test: (chunk: Rolldown.OutputChunk) => boolean) => [...chunks.values()].find(test)?.fileName ?? '';
  const scripts = withImports(
    find(({ facadeModuleId }) => facadeModuleId?.endsWith(FIRST_ROUTE) === true),
    chunks,
    withImports(
      find(({ isEntry, facadeModuleId }) => isEntry && facadeModuleId?.endsWith('index.html') === true),
      chunks,
    ),
  );
  const styles = [...scripts].flatMap((name) => [...(chunks.get(name)?.viteMetadata?.importedCss ?? [])]);
  const sizes = [...scripts, ...new Set(styles)].map(
    (name) => [name, statSync(`${PORTAL}dist/site/${name}.gz`).size / 1000] as const,
  );
  const total = sizes.reduce((sum, [, size]) => sum + size, 0);
  const large = sizes.filter(([, size]) => size >= MIN_LISTED_KB).toSorted(([, a], [, b]) => b - a);
  return [
    ...large.map(([name, size]) => `    ${size.toFixed(1).padStart(6)} kB  ${name}`),
    `  portal: first load ${total.toFixed(1)} kB of at most ${BUDGET_KB} kB (gzip)`,
  ].join('\n');
}

const wanted = fingerprint();
if (stamped() !== wanted) {
  const result = await build({
    configFile: fileURLToPath(new URL('vite.config.ts', import.meta.url)),
    logLevel: 'warn',
  });
  if (!('output' in result)) throw new Error('the build has no output');
  process.stdout.write(`${report(result.output)}\n`);
  writeFileSync(STAMP, wanted);
}
