import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const EXCLUDED_FOLDERS = ['node_modules', 'dist', '.local', '.git', '.venv'];

/** Paths, relative to the root, of the files that match a pattern. */
export const pathsOf = (pattern: string): string[] =>
  globSync(pattern, { cwd: ROOT, exclude: (path) => EXCLUDED_FOLDERS.includes(basename(path)) });
/** Whether a file is a spec or a fixture, which only specs use. */
export const isTestFile = (path: string): boolean => /\.spec\.tsx?$/.test(path) || path.includes('/fixtures/');
export const readText = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

export const documents = pathsOf('**/*.md').map((path) => ({ path, text: readText(path) }));
export const documentOf = (path: string): string => documents.find((document) => document.path === path)?.text ?? '';

/** Text between two markers in a document. */
export function blockOf(document: string, name: string): string {
  return new RegExp(`<!-- ${name}:start -->([\\s\\S]*?)<!-- ${name}:end -->`).exec(documentOf(document))?.[1] ?? '';
}

/** Cells of the Markdown table between two markers, without its two header lines. */
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
