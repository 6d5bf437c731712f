import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { REPOSITORY } from '#local/repository.js';
import { clientTypes, generatedDocuments } from './generated.js';

async function write(path: string, text: string): Promise<void> {
  await writeFile(join(REPOSITORY, path), text);
  process.stdout.write(`${path}\n`);
}

for (const [path, text] of await generatedDocuments()) await write(path, text);
const { path, text } = await clientTypes();
await write(path, text);
