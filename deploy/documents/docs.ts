import { existsSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { argumentsOf } from '#local/option-values.js';
import { runCommand } from '#local/commands/lifecycle.js';
import { run } from '#local/processes/run.js';
import { REPOSITORY } from '#local/repository.js';
import { CHECKSUMS, addChecksums } from '#local/example-messages.js';
import { withoutAnnotations } from './compatibility/changes.js';
import { FIRST, PUBLISHED, releaseBreakingChanges, releasedPath } from './compatibility/released.js';
import { recordExamples } from './examples/record.js';
import { generatedDocuments } from './generated.js';

/**
 * `npm run docs`: writes all generated documents, adds the checksums of new example messages, and generates the types of the client and
 * the portal. `-- --record` first records the examples of requests on the local demo stack. `-- --release` then stores the documents as released, unless they break the previous
 * release.
 */
async function main(): Promise<number> {
  const options = {
    record: { type: 'boolean', default: false },
    release: { type: 'boolean', default: false },
  } as const;
  const { values } = argumentsOf({ options });
  const documents = await generatedDocuments(values.record ? await recordExamples() : undefined);
  for (const [path, text] of documents) await write(path, text);
  for (const path of await addChecksums()) process.stdout.write(`added the checksum of ${path}\n`);
  await run(process.execPath, [join(REPOSITORY, 'libs/client/generate-types.mjs')]);
  return values.release ? release(documents) : 0;
}

async function release(documents: Map<string, string>): Promise<number> {
  const breaks = await releaseBreakingChanges(documents);
  if (breaks.length > 0) {
    process.stderr.write(`not released, because clients of the last release would break:\n  ${breaks.join('\n  ')}\n`);
    return 1;
  }
  for (const [path, document] of documents) {
    if (!PUBLISHED.includes(path)) continue;
    const text = `${JSON.stringify(withoutAnnotations(JSON.parse(document)))}\n`;
    const first = FIRST[path];
    if (first !== undefined && !existsSync(join(REPOSITORY, first))) await write(first, text);
    // Until a later release differs from the first, the first is also the last released version.
    else if (first === undefined || readFileSync(join(REPOSITORY, first), 'utf8') !== text)
      await write(releasedPath(path), text);
  }
  await write(releasedPath(CHECKSUMS), readFileSync(join(REPOSITORY, CHECKSUMS), 'utf8'));
  return 0;
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(REPOSITORY, path)), { recursive: true });
  await writeFile(join(REPOSITORY, path), text);
  process.stdout.write(`${path}\n`);
}

await runCommand(main);
