import { type Pair, type Scalar, type YAMLMap, isMap, parseDocument } from 'yaml';
import { textAt, withTable } from '../tables.js';

const CHART = 'deploy/helm/po-collaboration';
/** Longer ones are read in values.yaml. */
const SHOWN = 24;

/** The README of the chart, by its path from the root, with the table of values as values.yaml has them. */
export function chartReadme(): { path: string; text: string } {
  const path = `${CHART}/README.md`;
  return { path, text: withTable(textAt(path), 'values', [['value', 'default', 'meaning'], ...rows()]) };
}

/** One for each value of the first two levels; what is in it is told by the comment above it. */
function rows(): string[][] {
  const { contents } = parseDocument<YAMLMap>(textAt(`${CHART}/values.yaml`));
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
    // What stands above the first one is the map's; of that, what an empty line follows is about the file.
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
