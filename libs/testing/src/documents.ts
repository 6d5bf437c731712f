import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const LEFT_OUT = ['node_modules', 'dist', '.local', '.git', '.venv'];

/** Paths from the root of the files that a pattern matches. */
export const pathsOf = (pattern: string): string[] =>
  globSync(pattern, { cwd: ROOT, exclude: (path) => LEFT_OUT.includes(basename(path)) });
/** Specs, and what only they use. */
export const isOfTests = (path: string): boolean => /\.spec\.tsx?$/.test(path) || path.includes('/fixtures/');
export const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

export const documents = pathsOf('**/*.md').map((path) => ({ path, text: textOf(path) }));
export const documentOf = (path: string): string => documents.find((document) => document.path === path)?.text ?? '';

/** What stands in a document between two markers. */
export function blockOf(document: string, name: string): string {
  return new RegExp(`<!-- ${name}:start -->([\\s\\S]*?)<!-- ${name}:end -->`).exec(documentOf(document))?.[1] ?? '';
}

/** Cells of the Markdown table between two markers, its two head lines left out. */
export const tableOf = (document: string, name: string): string[][] =>
  blockOf(document, name)
    .trim()
    .split('\n')
    .slice(2)
    .map((row) =>
      row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
