import { readFile } from 'node:fs/promises';

/** Notes of the browser tests, one line of JSON each. */
export type PortalNote =
  /** A measurement, in words. */
  | { kind: 'told'; line: string }
  /** A page or a part of it as axe judges it. */
  | { kind: 'axe'; language: string; theme: string; serious: number; critical: number }
  /** A picture that was kept, by its name. */
  | { kind: 'screenshot'; name: string };

const LINE = 150;

/** The notes in a file; empty if no test noted anything. */
export async function readNotes(file: string): Promise<PortalNote[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as PortalNote);
}

/** The measurements of a run, what axe said in each language and theme, and which screenshots there are in `folder`. */
export function portalReport(notes: readonly PortalNote[], folder: string): string {
  const told = notes.flatMap((note) => (note.kind === 'told' ? [note.line] : []));
  const pictures = [...new Set(notes.flatMap((note) => (note.kind === 'screenshot' ? [note.name] : [])))];
  const looks = new Map<string, { looks: number; serious: number; critical: number }>();
  for (const note of notes) {
    if (note.kind !== 'axe') continue;
    const name = `${note.language} ${note.theme}`;
    const sum = looks.get(name) ?? { looks: 0, serious: 0, critical: 0 };
    looks.set(name, {
      looks: sum.looks + 1,
      serious: sum.serious + note.serious,
      critical: sum.critical + note.critical,
    });
  }
  const axe = [...looks]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([name, sum]) => `axe, ${name}: ${sum.looks} looks, ${sum.serious} serious, ${sum.critical} critical`);
  const lines = [
    ...told.toSorted(),
    ...axe,
    ...(pictures.length > 0 ? [`${pictures.length} screenshots in ${folder}:`, ...wrapped(pictures.toSorted())] : []),
  ];
  return lines.length === 0 ? '' : `\n${lines.map((line) => `  ${line}\n`).join('')}`;
}

function wrapped(names: readonly string[]): string[] {
  const lines: string[] = [];
  for (const name of names) {
    const last = lines.at(-1);
    if (last === undefined || last.length + name.length + 1 > LINE) lines.push(`  ${name}`);
    else lines[lines.length - 1] = `${last} ${name}`;
  }
  return lines;
}
