import { z } from 'zod';
import type { Locale } from '../identity.js';
import { LINE_FIELDS } from './commands.js';
import { ListParameters, ListQuery, flag } from './queries.js';
import { LineIdentity } from '../orders/purchase-order.js';
import { PoRef } from '../validation/text.js';

/** Column labels of exports; an import recognizes its columns by either language. */
export const COLUMN_LABELS = {
  poNumber: { en: 'PO Number', zh: '订单号' },
  status: { en: 'Status', zh: '状态' },
  vendor: { en: 'Vendor', zh: '供应商' },
  rowHash: { en: 'Row ID', zh: '行标识' },
  lineId: { en: 'Line ID', zh: '行号' },
  code: { en: 'Code', zh: '货号' },
  style: { en: 'Style', zh: '款号' },
  color: { en: 'Color', zh: '颜色' },
  size: { en: 'Size', zh: '尺码' },
  originalQty: { en: 'Original Qty', zh: '原数量' },
  vendorReplyQty: { en: 'Reply Qty', zh: '回复数量' },
  agreedQty: { en: 'Agreed Qty', zh: '约定数量' },
  qty: { en: 'Qty', zh: '数量' },
  originalUnitPrice: { en: 'Original Price', zh: '原单价' },
  vendorReplyUnitPrice: { en: 'Reply Price', zh: '回复单价' },
  agreedUnitPrice: { en: 'Agreed Price', zh: '约定单价' },
  unitPrice: { en: 'Price', zh: '单价' },
  poDate: { en: 'PO Date', zh: '下单日期' },
  originalXfd: { en: 'Original XFD', zh: '原离厂日期' },
  vendorReplyXfd: { en: 'Reply XFD', zh: '回复离厂日期' },
  xfDate: { en: 'XFD', zh: '离厂日期' },
  currency: { en: 'Currency', zh: '币种' },
  originalAmount: { en: 'Original Amount', zh: '原金额' },
  amount: { en: 'Amount', zh: '金额' },
  container: { en: 'Container', zh: '柜号' },
  tracking: { en: 'Tracking', zh: '运单号' },
} as const satisfies Record<string, Record<Locale, string>>;

/** Maximum rows below the labels. */
export const MAX_EXPORT_ROWS = 50_000;
export const MAX_IMPORT_ROWS = 5_000;
export const MAX_IMPORT_ERRORS = 1_000;

const LEVELS = ['lines', 'orders'] as const;
export type ExportLevel = (typeof LEVELS)[number];

export const ExportParameters = ListParameters.omit({ limit: true, page: true }).extend({
  format: z.enum(['csv', 'xlsx']).default('csv').describe('The kind of file.'),
  level: z.enum(LEVELS).default('lines').describe('One row per size of each item, or one per order.'),
});
export type ExportFormat = z.output<typeof ExportParameters>['format'];

/** The content of an export, as requested by the gateway from the order service. */
export const ExportQuery = ListQuery.omit({ limit: true, page: true }).extend({ level: z.enum(LEVELS) });
export type ExportQuery = z.infer<typeof ExportQuery>;

/** Ids of the exported orders in file order, divided into pages that are requested one at a time. */
export const ExportPlan = z.object({
  pages: z.array(z.array(z.int())),
  /** Number of rows below the labels. */
  rows: z.int(),
});
export type ExportPlan = z.infer<typeof ExportPlan>;

export const ExportPage = z.object({ orders: z.array(z.int()) });
export type ExportPage = z.infer<typeof ExportPage>;

const ExportedLine = z.object({
  ...LineIdentity,
  lineId: z.string(),
  originalQty: z.number(),
  vendorReplyQty: z.number().nullable(),
  agreedQty: z.number().nullable(),
  qty: z.number(),
  originalUnitPrice: z.number(),
  vendorReplyUnitPrice: z.number().nullable(),
  agreedUnitPrice: z.number().nullable(),
  unitPrice: z.number(),
});
export type ExportedLine = z.infer<typeof ExportedLine>;

/** An order with its lines in the order of the line items. */
export const ExportedLines = z.object({
  poNumber: z.string(),
  status: z.string(),
  statusZh: z.string(),
  vendor: z.string(),
  lines: z.array(ExportedLine),
});
export type ExportedLines = z.infer<typeof ExportedLines>;

export const ImportParameters = z.object({
  dryRun: flag.default(false).meta({ default: false, description: 'Reports what would change, and changes nothing.' }),
});

/** Maximum characters of a cell, more than any valid value has. */
export const MAX_CELL_LENGTH = 100;
/** Text or number as stored in the file; null for an empty cell, `uncalculated` for a formula without a stored value. */
const ImportCell = z.union([
  z.string().max(MAX_CELL_LENGTH),
  z.number(),
  z.null(),
  z.strictObject({ uncalculated: z.literal(true) }),
]);
export type ImportCell = z.infer<typeof ImportCell>;

export const IMPORT_COLUMNS = ['rowHash', ...LINE_FIELDS] as const;
export type ImportColumn = (typeof IMPORT_COLUMNS)[number];

const ImportRow = z.strictObject({
  /** Row number as shown to users: the labels are in row 1. */
  row: z.int().min(2),
  rowHash: ImportCell,
  vendorReplyQty: ImportCell,
  vendorReplyUnitPrice: ImportCell,
});

/** Content of a file of any format; missing columns are empty in every row. */
export const ImportTable = z.strictObject({
  /** The file's columns with their labels as spelled in the file. */
  columns: z.partialRecord(z.enum(IMPORT_COLUMNS), z.string().max(MAX_CELL_LENGTH)),
  /** Columns that occur twice. */
  repeated: z.array(z.enum(IMPORT_COLUMNS)),
  /** Non-empty rows. */
  rows: z.array(ImportRow).max(MAX_IMPORT_ROWS),
  /** The first row beyond the limit; null if all rows fit. */
  tooMany: z.int().nullable(),
  /** Texts of prices contain points that may be thousands separators if three digits follow. */
  unclearPoints: z.literal(true).optional(),
});
export type ImportTable = z.infer<typeof ImportTable>;

/** An import on `po.commands.v1`. Its idempotency key is bound to the file's bytes; `file` is their SHA-256 in hex. */
export const ImportLines = z.object({ poRef: PoRef, file: z.string().regex(/^[0-9a-f]{64}$/), table: ImportTable });
export type ImportLines = z.infer<typeof ImportLines>;

/** Preview of the same import. */
export const PreviewImport = ImportLines.omit({ file: true });
export type PreviewImport = z.infer<typeof PreviewImport>;

/** The caller may import into an order, as far as this can be determined without the file. */
export const ImportChecked = z.object({ success: z.literal(true) });
export type ImportChecked = z.infer<typeof ImportChecked>;

const ReplyValue = z.number().nullable();

export const ImportChange = z
  .object({
    ...LineIdentity,
    field: z.enum(LINE_FIELDS),
    from: ReplyValue.describe('The reply before; null for none.'),
    to: ReplyValue.describe('The reply after; null for none.'),
  })
  .meta({ id: 'ImportChange', description: 'A reply that an import changes.' });
export type ImportChange = z.infer<typeof ImportChange>;

const IMPORT_ERROR_CODES = [
  'UNKNOWN_ROW',
  'DUPLICATE_ROW',
  'INVALID_VALUE',
  'OUT_OF_RANGE',
  'PRICES_DIFFER',
  'MISSING_COLUMN',
  'TOO_MANY_ROWS',
] as const;

export const ImportError = z
  .object({
    row: z.int().describe('Row number as in a spreadsheet: the labels are in row 1.'),
    column: z.string().nullable().describe('The label of the column; null if the error is about the whole row.'),
    code: z.enum(IMPORT_ERROR_CODES),
    message: z.string(),
    messageZh: z.string(),
  })
  .meta({ id: 'ImportError', description: 'Why a file cannot be imported.' });
export type ImportError = z.infer<typeof ImportError>;

export const ImportResult = z
  .object({
    applied: z.boolean().describe('False for a dry run.'),
    rows: z.int().describe('Rows of the file that are not empty, without the labels.'),
    changes: z.array(ImportChange),
    errors: z.array(ImportError).describe('Only in a dry run; otherwise errors result in the problem IMPORT_INVALID.'),
  })
  .meta({ id: 'ImportResult', description: 'What an import changed or would change.' });
export type ImportResult = z.infer<typeof ImportResult>;
