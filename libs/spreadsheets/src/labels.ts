/** Normalizes a label, because people and programs change case, spaces and character width. */
const plain = (label: string): string =>
  label
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s\u200b\ufeff]+/g, '');

/** The column of a label; undefined for a label to ignore. */
export type ColumnOf<Column> = (label: string) => Column | undefined;

/** Finds columns by their labels, regardless of case, spaces and character width. */
export function columnsBy<Column extends string>(
  labels: Readonly<Record<Column, readonly string[]>>,
): ColumnOf<Column> {
  const columns = new Map(
    (Object.keys(labels) as Column[]).flatMap((column) => labels[column].map((label) => [plain(label), column])),
  );
  return (label) => columns.get(plain(label));
}
