import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { REPOSITORY } from '#local/repository.js';
import { generatedDocuments } from './generated.js';

for (const [path, text] of await generatedDocuments()) {
  await writeFile(join(REPOSITORY, path), text);
  process.stdout.write(`${path}\n`);
}
