import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { REPOSITORY } from '#local/repository.js';

/** Replaces the table between the markers of this name in a document's text. Throws if the markers are missing. */
export function withTable(document: string, name: string, [head, ...rows]: readonly string[][]): string {
  const [start, end] = [`<!-- ${name}:start -->`, `<!-- ${name}:end -->`];
  const [before, rest] = document.split(start);
  const [, after] = rest?.split(end) ?? [];
  if (before === undefined || after === undefined) throw new Error(`there is no ${start} … ${end}`);
  const line = (cells: readonly string[] = []) => `| ${cells.join(' | ')} |`;
  const table = [line(head), line(head?.map(() => '---')), ...rows.map(line)].join('\n');
  return `${before}${start}\n\n${table}\n\n${end}${after}`;
}

/** Text of a document by its path from the root. */
export const readText = (path: string): string => readFileSync(join(REPOSITORY, path), 'utf8');
