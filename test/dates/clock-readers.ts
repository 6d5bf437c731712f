import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { REPOSITORY } from '#local/repository.js';

/** The time of day by JavaScript, by jose, which looks when a token ends, and by TLS, which looks when a certificate ends. */
const READS_CLOCK = /\bDate\b|\bIntl\b|\.toLocale|'jose'|'node:tls'|certificates/;
const SOURCES = '{libs,services,deploy,test}/**/*.{ts,tsx}';
const COMPILED = /(^|\/)(node_modules|dist)(\/|$)/;

/** Paths of the sources that read the time of day. A test that imports none of them, directly or not, is the same on every day. */
export async function clockReaders(): Promise<string[]> {
  const readers: string[] = [];
  for await (const path of glob(SOURCES, { cwd: REPOSITORY, exclude: (name) => COMPILED.test(name) }))
    if (READS_CLOCK.test(await readFile(join(REPOSITORY, path), 'utf8'))) readers.push(path);
  return readers;
}
