// Generates src/api.ts, the types of the API document, unless it already matches this document and generator. Runs on any Node from 20.19.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const pathOf = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const DOCUMENT = pathOf('../contracts/openapi.json');
const TYPES = pathOf('src/api.ts');

const generator = createRequire(import.meta.url).resolve('openapi-typescript/package.json');
const { version, bin } = JSON.parse(readFileSync(generator, 'utf8'));
const hash = createHash('sha256').update(readFileSync(DOCUMENT)).digest('hex');
// By default, the members of a request body that have a default would be required.
const OPTION = '--default-non-nullable=false';
// A hash instead of the modification time, which git, COPY and tar set arbitrarily.
const source = `// openapi.json ${hash}, openapi-typescript ${version} ${OPTION}\n`;
if (!existsSync(TYPES) || !readFileSync(TYPES, 'utf8').startsWith(source)) {
  const program = join(dirname(generator), bin['openapi-typescript']);
  const types = execFileSync(process.execPath, [program, DOCUMENT, OPTION], {
    encoding: 'utf8',
    maxBuffer: 16 * 1024 * 1024,
  });
  // Renames the finished file, so that a compiler running at the same time never reads a partial one.
  writeFileSync(`${TYPES}.${process.pid}`, `${source}${types}`);
  renameSync(`${TYPES}.${process.pid}`, TYPES);
}
