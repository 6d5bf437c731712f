/** Parses clipboard text of spreadsheets: tabs separate cells; cells with tabs, line breaks or quotes are in quotes. */
export function readTsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  while (at <= text.length) {
    const cell = text[at] === '"' ? quotedAt(text, at) : plainAt(text, at);
    row.push(cell.value);
    at = cell.end;
    if (text[at] === '\t') {
      at += 1;
      continue;
    }
    rows.push(row);
    row = [];
    at += text.startsWith('\r\n', at) ? 2 : 1;
    // The line break after the last row does not begin another row.
    if (at >= text.length) break;
  }
  return rows;
}

const END = /[\t\r\n]/g;

function plainAt(text: string, start: number): { value: string; end: number } {
  END.lastIndex = start;
  const end = END.exec(text)?.index ?? text.length;
  return { value: text.slice(start, end), end };
}

/** A quote that is not closed, or is closed before the end of the cell, is literal. */
function quotedAt(text: string, start: number): { value: string; end: number } {
  let value = '';
  let at = start + 1;
  for (;;) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return plainAt(text, start);
    value += text.slice(at, quote);
    at = quote + 1;
    if (text[at] !== '"') break;
    value += '"';
    at += 1;
  }
  return at === text.length || /[\t\r\n]/.test(text[at] ?? '') ? { value, end: at } : plainAt(text, start);
}

export const writeTsv = (rows: readonly (readonly string[])[]): string =>
  rows.map((row) => row.map(quoted).join('\t')).join('\n');

const quoted = (cell: string): string => (/^"|[\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
