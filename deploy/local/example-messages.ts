import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { REPOSITORY } from './repository.js';

/** A record as people in any language can read it, and as a test can send it. */
export interface ExampleMessage {
  about: string;
  headers: Record<string, string>;
  key: string | null;
  /** The JSON that the record's value is; null = the record has no value. Absent where `text` is. */
  value?: unknown;
  /** A value that is no JSON, as it is. */
  text?: string;
  /** Of one that is refused: what the header x-dlq-reason of its dead letter says, among other things. */
  reason?: string;
}

export interface ExampleFile {
  /** From the folder of examples: `<topic>/<name>.json`, or `<topic>/refused/<name>.json`. */
  path: string;
  topic: string;
  isRefused: boolean;
  message: ExampleMessage;
}

export const EXAMPLES = join(REPOSITORY, 'libs/contracts/examples');
/** As `sha256sum -c` reads it. Lines are only ever added: whoever tests against an example may rely on it for good. */
export const CHECKSUMS = 'libs/contracts/examples/SHA256SUMS';

const REFUSED = 'refused';

/** Every example of a message, valid and refused. */
export function readExamples(): ExampleFile[] {
  const paths = globSync(['*/*.json', `*/${REFUSED}/*.json`], { cwd: EXAMPLES, exclude: ['consumers', 'producers'] });
  return paths.toSorted().map((path) => {
    const [topic = '', folder] = path.split('/');
    const message = JSON.parse(readFileSync(join(EXAMPLES, path), 'utf8')) as ExampleMessage;
    return { path, topic, isRefused: folder === REFUSED, message };
  });
}

/** The bytes of the record's value. */
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

/** What is promised for good, in the order in which it was; `path` from the root. */
export const readChecksums = (path = CHECKSUMS): Checksum[] =>
  readFileSync(join(REPOSITORY, path), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({ sha256: line.slice(0, 64), path: line.slice(66) }));

/**
 * Promises every example that is not promised yet; answers which these are.
 * @public The documents' generator imports it from what is built.
 */
export async function promiseExamples(): Promise<string[]> {
  const promised = new Set(readChecksums().map(({ path }) => path));
  const added = readExamples().filter(({ path }) => !promised.has(path));
  await appendFile(
    join(REPOSITORY, CHECKSUMS),
    added.map(({ path }) => `${checksumOf(path).sha256}  ${path}\n`).join(''),
  );
  return added.map(({ path }) => path);
}
