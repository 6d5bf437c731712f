import {
  COLUMN_LABELS,
  type ExportLevel,
  type ExportedLine,
  type ExportedLines,
  type Locale,
  type PurchaseOrderSummary,
} from '@po/contracts';

/** A raw value, whatever file it goes into. Dates are `YYYY-MM-DD`. */
export type Value = string | number | null;
export type Kind = 'text' | 'number' | 'date';

/** Content of a file: the labels of its first row, and the rows below. */
export interface Sheet<Page> {
  labels: string[];
  /** Kind of each column. */
  kinds: Kind[];
  rowsOf: (page: Page) => Value[][];
}

interface Column<Row> {
  name: keyof typeof COLUMN_LABELS;
  kind: Kind;
  value: (row: Row, locale: Locale) => Value;
}

type Names<Row> = keyof Row & keyof typeof COLUMN_LABELS;
type Lines = Omit<ExportedLines, 'lines'> & ExportedLine;

const own =
  <Row>(kind: Kind) =>
  <Name extends Names<Row>>(...names: Name[]): Column<Row>[] =>
    names.map((name) => ({ name, kind, value: (row) => row[name] as Value }));

const status: Column<{ status: string; statusZh: string }> = {
  name: 'status',
  kind: 'text',
  value: ({ status: en, statusZh: zh }, locale) => (locale === 'zh' ? zh : en),
};

const LINES: readonly Column<Lines>[] = [
  ...own<Lines>('text')('poNumber'),
  status,
  ...own<Lines>('text')('vendor', 'rowHash', 'lineId', 'code', 'style', 'color', 'size'),
  ...own<Lines>('number')('originalQty', 'vendorReplyQty', 'agreedQty', 'qty'),
  ...own<Lines>('number')('originalUnitPrice', 'vendorReplyUnitPrice', 'agreedUnitPrice', 'unitPrice'),
];

const ORDERS: readonly Column<PurchaseOrderSummary>[] = [
  ...own<PurchaseOrderSummary>('text')('poNumber'),
  status,
  ...own<PurchaseOrderSummary>('text')('vendor'),
  ...own<PurchaseOrderSummary>('date')('poDate', 'originalXfd', 'vendorReplyXfd', 'xfDate'),
  ...own<PurchaseOrderSummary>('text')('currency'),
  ...own<PurchaseOrderSummary>('number')('originalAmount', 'amount'),
  { name: 'originalQty', kind: 'number', value: ({ originalTotalQty }) => originalTotalQty },
  { name: 'qty', kind: 'number', value: ({ totalQty }) => totalQty },
  { name: 'container', kind: 'text', value: ({ containerNumber }) => containerNumber },
  { name: 'tracking', kind: 'text', value: ({ trackingNumber }) => trackingNumber },
];

function sheet<Page, Row>(columns: readonly Column<Row>[], locale: Locale, rows: (page: Page) => Row[]): Sheet<Page> {
  return {
    labels: columns.map(({ name }) => COLUMN_LABELS[name][locale]),
    kinds: columns.map(({ kind }) => kind),
    rowsOf: (page) => rows(page).map((row) => columns.map(({ value }) => value(row, locale))),
  };
}

/** Columns of each level in a language; a page is the service's answer for that level. */
export const SHEETS: {
  lines: (locale: Locale) => Sheet<ExportedLines[]>;
  orders: (locale: Locale) => Sheet<PurchaseOrderSummary[]>;
} & Record<ExportLevel, unknown> = {
  lines: (locale) =>
    sheet(LINES, locale, (page) => page.flatMap(({ lines, ...order }) => lines.map((line) => ({ ...order, ...line })))),
  orders: (locale) => sheet(ORDERS, locale, (page) => page),
};
