import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '#local/repository.js';
import type { OpenApiDocument } from '../openapi-document.js';
import { type AsyncApiDocument, asyncApiBreaks } from './asyncapi.js';
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

/** Whether a document is one that others build on. */
export const isReleased = (path: string): boolean => Object.hasOwn(COMPARISONS, path);

/** What the documents break for those who rely on the last released ones, or the first, each as a sentence that begins with its place. */
export function releaseBreaks(documents: ReadonlyMap<string, string>): string[] {
  return globSync(`${RELEASED}**/*.json`, { cwd: REPOSITORY }).flatMap((file) => {
    const path = file.replace(RELEASED, CONTRACTS).replace('/first/', '/');
    const [after, compare] = [documents.get(path), COMPARISONS[path]];
    if (after === undefined) return [`${path} is gone`];
    if (!compare) throw new Error(`nothing compares versions of ${path}`);
    return compare(JSON.parse(readFileSync(join(REPOSITORY, file), 'utf8')), JSON.parse(after));
  });
}
