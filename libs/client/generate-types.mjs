// Writes src/api.ts, the types of the API document, unless it is already made of this document by this generator. Runs on any Node from 20.19.
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
// Not the time of the file: git, COPY and tar set it to anything.
const source = `// openapi.json ${hash}, openapi-typescript ${version}\n`;
if (!existsSync(TYPES) || !readFileSync(TYPES, 'utf8').startsWith(source)) {
  const program = join(dirname(generator), bin['openapi-typescript']);
  const types = execFileSync(process.execPath, [program, DOCUMENT], { encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 });
  // By a rename: a compiler that runs meanwhile reads no half of it.
  writeFileSync(`${TYPES}.${process.pid}`, `${source}${types}`);
  renameSync(`${TYPES}.${process.pid}`, TYPES);
}
