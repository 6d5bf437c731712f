/** A label without what people and programs change about it: case, spaces, full width. */
const plain = (label: string): string =>
  label
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s\u200b\ufeff]+/g, '');

/** Tells by a label which column it names; undefined for one that is read over. */
export type ColumnOf<Column> = (label: string) => Column | undefined;

/** Knows columns by their labels, whatever people and programs made of these. */
export function columnsBy<Column extends string>(
  labels: Readonly<Record<Column, readonly string[]>>,
): ColumnOf<Column> {
  const columns = new Map(
    (Object.keys(labels) as Column[]).flatMap((column) => labels[column].map((label) => [plain(label), column])),
  );
  return (label) => columns.get(plain(label));
}
