import { type Pair, type Scalar, type YAMLMap, isMap, parseDocument } from 'yaml';
import { readText, withTable } from '../tables.js';

const CHART = 'deploy/helm/po-collaboration';
/** Maximum length of a default in the table; longer ones are only in values.yaml. */
const SHOWN = 24;

/** The chart's README by path from the root, with the table of the values in values.yaml. */
export function chartReadme(): { path: string; text: string } {
  const path = `${CHART}/README.md`;
  return { path, text: withTable(readText(path), 'values', [['value', 'default', 'meaning'], ...rows()]) };
}

/** One row for each value of the first two levels, with the comment above it as its meaning. */
function rows(): string[][] {
  const { contents } = parseDocument<YAMLMap>(readText(`${CHART}/values.yaml`));
  if (!contents) throw new Error('values.yaml is empty');
  return entries(contents).flatMap(({ name, value, comment }) => {
    const inner = isMap(value) ? entries(value) : [];
    const own = row(name, inner.length > 0 ? '' : shown(value), comment);
    return [
      ...(comment || inner.length === 0 ? [own] : []),
      ...inner
        .filter((entry) => entry.comment || !comment)
        .map((entry) => row(`${name}.${entry.name}`, shown(entry.value), entry.comment)),
    ];
  });
}

const row = (name: string, value: string, comment: string): string[] => [`\`${name}\``, value, comment];

function entries(map: YAMLMap): { name: string; value: unknown; comment: string }[] {
  return (map.items as Pair<Scalar<string>>[]).map(({ key, value }, index) => {
    // The parser assigns the comment above the first entry to the map. Its part before an empty line is about the file.
    const above = (index === 0 ? map.commentBefore : undefined) ?? key.commentBefore ?? '';
    const comment = above.split(/\n\s*\n/).at(-1) ?? '';
    return { name: key.value, value, comment: comment.trim().replaceAll(/\n\s*/g, ' ') };
  });
}

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  if (text === '""') return '';
  return text.length > SHOWN ? '' : `\`${text.replaceAll('"', '')}\``;
}
