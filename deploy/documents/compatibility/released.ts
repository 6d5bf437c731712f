import { existsSync, globSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { CHECKSUMS } from '#local/example-messages.js';
import { REPOSITORY } from '#local/repository.js';
import { breakingChanges, withoutAnnotations } from './changes.js';

const CONTRACTS = 'libs/contracts/';
const RELEASED = 'libs/contracts/released/';

/** Path of the last released version of a document. */
export const releasedPath = (path: string): string => path.replace(CONTRACTS, RELEASED);

/**
 * Path of the first released version of a document about messages, kept permanently: records from that time are still on compacted
 * topics, and programs written for them may still run.
 */
export const FIRST: Readonly<Record<string, string>> = {
  'libs/contracts/asyncapi.json': `${RELEASED}first/asyncapi.json`,
};

/** Paths of the documents that other systems rely on. */
export const PUBLISHED = ['libs/contracts/openapi.json', 'libs/contracts/asyncapi.json'];

/**
 * Paths whose released copies differ from the documents of the checkout.
 * @public The release script imports it from the build output.
 */
export function staleBaselines(root: string): string[] {
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  // Until a later release differs from the first, the first is also the last released version.
  const copyOf = (path: string) =>
    [releasedPath(path), FIRST[path]].find((copy) => copy && existsSync(join(root, copy)));
  return [...PUBLISHED, CHECKSUMS].filter((path) => {
    const copy = copyOf(path);
    if (copy === undefined) return true;
    if (path === CHECKSUMS) return read(path) !== read(copy);
    return !isDeepStrictEqual(withoutAnnotations(JSON.parse(read(path))), JSON.parse(read(copy)));
  });
}

/** Breaking changes from the last and the first released documents, each as a sentence that begins with its place. */
export async function releaseBreakingChanges(documents: ReadonlyMap<string, string>): Promise<string[]> {
  const found = globSync(`${RELEASED}**/*.json`, { cwd: REPOSITORY }).map(async (file) => {
    const path = file.replace(RELEASED, CONTRACTS).replace('/first/', '/');
    const after = documents.get(path);
    if (after === undefined) return [`${path} is gone`];
    return breakingChanges(await readFile(join(REPOSITORY, file), 'utf8'), after);
  });
  return (await Promise.all(found)).flat();
}
