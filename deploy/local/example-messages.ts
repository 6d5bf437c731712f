import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { REPOSITORY } from './repository.js';

/** An example record in JSON, readable from any programming language, that tests can also send. */
export interface ExampleMessage {
  about: string;
  headers: Record<string, string>;
  key: string | null;
  /** The record's value as JSON; null if the record has no value. Absent if `text` is set. */
  value?: unknown;
  /** A value that is not JSON, unchanged. */
  text?: string;
  /** For a refused record: part of the header x-dlq-reason of its dead letter. */
  reason?: string;
}

export interface ExampleFile {
  /** Path in the folder of examples: `<topic>/<name>.json` or `<topic>/refused/<name>.json`. */
  path: string;
  topic: string;
  isRefused: boolean;
  message: ExampleMessage;
}

export const EXAMPLES = join(REPOSITORY, 'libs/contracts/examples');
/** Checksums in the format of `sha256sum -c`. Lines are only ever added, because other systems may test against an example permanently. */
export const CHECKSUMS = 'libs/contracts/examples/SHA256SUMS';

const REFUSED = 'refused';

/** Reads all example messages, valid and refused. */
export function readExamples(): ExampleFile[] {
  const paths = globSync(['*/*.json', `*/${REFUSED}/*.json`], { cwd: EXAMPLES, exclude: ['consumers', 'producers'] });
  return paths.toSorted().map((path) => {
    const [topic = '', folder] = path.split('/');
    const message = JSON.parse(readFileSync(join(EXAMPLES, path), 'utf8')) as ExampleMessage;
    return { path, topic, isRefused: folder === REFUSED, message };
  });
}

/** The record's value as text; null if the record has no value. */
export function valueOf({ value, text }: ExampleMessage): string | null {
  if (text !== undefined) return text;
  return value === null ? null : JSON.stringify(value);
}

export interface Checksum {
  path: string;
  sha256: string;
}

export const checksumOf = (path: string): Checksum => ({
  path,
  sha256: createHash('sha256')
    .update(readFileSync(join(EXAMPLES, path)))
    .digest('hex'),
});

/** Checksums of all published examples, in the order of their addition. `path` is relative to the repository. */
export const readChecksums = (path = CHECKSUMS): Checksum[] =>
  readFileSync(join(REPOSITORY, path), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({ sha256: line.slice(0, 64), path: line.slice(66) }));

/**
 * Adds the checksums of new examples, which must not change from then on, and returns their paths.
 * @public The document generator imports it from the build output.
 */
export async function addChecksums(): Promise<string[]> {
  const promised = new Set(readChecksums().map(({ path }) => path));
  const added = readExamples().filter(({ path }) => !promised.has(path));
  await appendFile(
    join(REPOSITORY, CHECKSUMS),
    added.map(({ path }) => `${checksumOf(path).sha256}  ${path}\n`).join(''),
  );
  return added.map(({ path }) => path);
}
