import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { CHECKSUMS } from '#local/example-messages.js';
import { REPOSITORY } from '#local/repository.js';
import type { OpenApiDocument } from '../openapi-document.js';
import { type AsyncApiDocument, asyncApiBreakingChanges } from './asyncapi.js';
import { withoutAnnotations } from './flat-schema.js';
import { openApiBreakingChanges } from './openapi.js';

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

/** Comparison of two versions of a document, by path. */
const COMPARISONS: Record<string, (before: unknown, after: unknown) => string[]> = {
  'libs/contracts/openapi.json': (before, after) =>
    openApiBreakingChanges(before as OpenApiDocument, after as OpenApiDocument),
  'libs/contracts/asyncapi.json': (before, after) =>
    asyncApiBreakingChanges(before as AsyncApiDocument, after as AsyncApiDocument),
};

/** Paths of the documents that other systems rely on. */
export const PUBLISHED = Object.keys(COMPARISONS);

/** Breaking changes between two versions of a published document, each as a sentence that begins with its location. */
export function documentBreakingChanges(path: string, before: string, after: string): string[] {
  const compare = COMPARISONS[path];
  if (!compare) throw new Error(`nothing compares versions of ${path}`);
  return compare(JSON.parse(before), JSON.parse(after));
}

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

/** Breaking changes from the last and the first released documents, each as a sentence that begins with its location. */
export function releaseBreakingChanges(documents: ReadonlyMap<string, string>): string[] {
  return globSync(`${RELEASED}**/*.json`, { cwd: REPOSITORY }).flatMap((file) => {
    const path = file.replace(RELEASED, CONTRACTS).replace('/first/', '/');
    const after = documents.get(path);
    if (after === undefined) return [`${path} is gone`];
    return documentBreakingChanges(path, readFileSync(join(REPOSITORY, file), 'utf8'), after);
  });
}
