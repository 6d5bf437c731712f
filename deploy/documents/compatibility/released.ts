import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { CHECKSUMS } from '#local/example-messages.js';
import { REPOSITORY } from '#local/repository.js';
import type { OpenApiDocument } from '../openapi-document.js';
import { type AsyncApiDocument, asyncApiBreaks } from './asyncapi.js';
import { withoutNotes } from './flat-schema.js';
import { openApiBreaks } from './openapi.js';

const CONTRACTS = 'libs/contracts/';
const RELEASED = 'libs/contracts/released/';

/** Where the last released version of a document is kept. */
export const releasedPath = (path: string): string => path.replace(CONTRACTS, RELEASED);

/**
 * Where the first released version of what is said of messages is kept, for good: records of that time are still on compacted topics,
 * and so may be the programs that were written for them.
 */
export const FIRST: Readonly<Record<string, string>> = {
  'libs/contracts/asyncapi.json': `${RELEASED}first/asyncapi.json`,
};

/** How two versions of a document are compared, by its path. */
const COMPARISONS: Record<string, (before: unknown, after: unknown) => string[]> = {
  'libs/contracts/openapi.json': (before, after) => openApiBreaks(before as OpenApiDocument, after as OpenApiDocument),
  'libs/contracts/asyncapi.json': (before, after) =>
    asyncApiBreaks(before as AsyncApiDocument, after as AsyncApiDocument),
};

/** The documents that others build on. */
export const PUBLISHED = Object.keys(COMPARISONS);

/** What one of them breaks for those who rely on an older text of it, each as a sentence that begins with its place. */
export function documentBreaks(path: string, before: string, after: string): string[] {
  const compare = COMPARISONS[path];
  if (!compare) throw new Error(`nothing compares versions of ${path}`);
  return compare(JSON.parse(before), JSON.parse(after));
}

/**
 * Paths whose released copies are not of what a checkout publishes.
 * @public Releases import it from what is built.
 */
export function staleBaselines(root: string): string[] {
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  // Until a release differs from the first one, that is also the last.
  const copyOf = (path: string) =>
    [releasedPath(path), FIRST[path]].find((copy) => copy && existsSync(join(root, copy)));
  return [...PUBLISHED, CHECKSUMS].filter((path) => {
    const copy = copyOf(path);
    if (copy === undefined) return true;
    if (path === CHECKSUMS) return read(path) !== read(copy);
    return !isDeepStrictEqual(withoutNotes(JSON.parse(read(path))), JSON.parse(read(copy)));
  });
}

/** What the documents break for those who rely on the last released ones, or the first, each as a sentence that begins with its place. */
export function releaseBreaks(documents: ReadonlyMap<string, string>): string[] {
  return globSync(`${RELEASED}**/*.json`, { cwd: REPOSITORY }).flatMap((file) => {
    const path = file.replace(RELEASED, CONTRACTS).replace('/first/', '/');
    const after = documents.get(path);
    if (after === undefined) return [`${path} is gone`];
    return documentBreaks(path, readFileSync(join(REPOSITORY, file), 'utf8'), after);
  });
}
