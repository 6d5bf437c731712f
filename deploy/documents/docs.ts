import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runCommand } from '#local/commands/lifecycle.js';
import { REPOSITORY } from '#local/repository.js';
import { record } from './examples/record.js';
import { RECORDED } from './examples/recorded.js';
import { clientTypes, generatedDocuments, printed } from './generated.js';

/** `npm run docs`: writes every generated document; `-- --record` first asks the demo stack that runs here for the examples. */
async function main(): Promise<number> {
  const { values } = parseArgs({ options: { record: { type: 'boolean', default: false } } });
  if (values.record) await write(RECORDED, await printed(RECORDED, await record()));
  for (const [path, text] of await generatedDocuments()) await write(path, text);
  const { path, text } = await clientTypes();
  await write(path, text);
  return 0;
}

async function write(path: string, text: string): Promise<void> {
  await writeFile(join(REPOSITORY, path), text);
  process.stdout.write(`${path}\n`);
}

await runCommand(main);
