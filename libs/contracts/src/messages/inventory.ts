import { z } from 'zod';
import {
  CalendarDate,
  Currency,
  EARLIEST_DATE,
  PoRef,
  Qty,
  SourcePrice,
  comparedText,
  trimmedText,
} from '../validation/text.js';

const Revision = z.int().min(0).meta({ format: 'int64' });
const required = (max: number) => trimmedText(max).min(1);
const optional = (max: number, string = trimmedText(max)) => string.nullish().transform((value) => value || null);

const cellName = (max: number) => comparedText(max).min(1);

const MAX_LINES = 5000;

export const InventoryLine = z
  .object({
    lineId: required(100).describe('Your own id for the row, returned in agreements.'),
    code: cellName(100),
    style: cellName(100),
    color: cellName(100),
    size: cellName(50),
    sku: optional(100),
    qty: Qty.describe('Pieces.'),
    unitPrice: SourcePrice.describe('At most 4 decimals; 0 = free of charge.'),
  })
  .meta({
    id: 'InventoryLine',
    description:
      'A row. The combination of its code, style, color and size, trimmed and in NFC, is unique within the order.',
  });
export type InventoryLine = z.infer<typeof InventoryLine>;

/** The complete purchase order of the inventory system at `sourceRevision`. Unknown fields are ignored. */
export const PurchaseOrderUpserted = z
  .object({
    poNumber: PoRef,
    sourceRevision: Revision.describe(
      'Increases with every change of the order. A revision that is not higher than the last one is ignored. At most 9,007,199,254,740,991.',
    ),
    poDate: CalendarDate.describe(`${EARLIEST_DATE} or later.`),
    xfd: CalendarDate.describe(`Ex-factory date, ${EARLIEST_DATE} or later.`),
    vendor: z
      .object({ code: required(50).describe('Must not change for a known order.'), name: required(200) })
      .describe('The last name received with a code applies.'),
    currency: Currency,
    factory: optional(200, comparedText(200)),
    season: optional(100),
    brand: optional(100),
    shipMode: optional(100),
    tradeTerm: optional(100),
    paymentTerm: optional(200),
    destination: optional(200),
    buyer: z
      .object({ name: optional(200), email: optional(320) })
      .nullish()
      .transform((buyer) => buyer ?? { name: null, email: null }),
    remarks: optional(4000),
    lines: z.array(InventoryLine).min(1).max(MAX_LINES),
  })
  .superRefine(({ lines }, context) => {
    const seen = new Set<string>();
    const cells = lines.map(({ code, style, color, size }) => `${code}\u001f${style}\u001f${color}\u001f${size}`);
    for (const [index, cell] of cells.entries()) {
      if (seen.size < seen.add(cell).size) continue;
      const message = `is the same code, style, color and size as /lines/${cells.indexOf(cell)}`;
      context.addIssue({ code: 'custom', path: ['lines', index], message });
    }
  })
  .meta({
    id: 'PurchaseOrderUpserted',
    description:
      'The complete current order: omitted values count as absent. Texts are trimmed before their length is checked. Unknown fields are ignored.',
  });
export type PurchaseOrderUpserted = z.infer<typeof PurchaseOrderUpserted>;

export const PurchaseOrderCancelled = z
  .object({
    poNumber: PoRef,
    sourceRevision: Revision.describe('Higher than in the last record of the order.'),
    reason: optional(2000).describe("Becomes the comment of the order's history entry."),
  })
  .meta({
    id: 'PurchaseOrderCancelled',
    description:
      'The inventory system cancels the order. This is final: later records of a cancelled order are ignored, whatever their revision. A shipped or delivered order is not cancelled, only marked as conflicting.',
  });
export type PurchaseOrderCancelled = z.infer<typeof PurchaseOrderCancelled>;

/** Schemas of the values on the inventory topic by `type` header. */
export const INVENTORY_TYPES = {
  'purchase-order.upserted': PurchaseOrderUpserted,
  'purchase-order.cancelled': PurchaseOrderCancelled,
} as const;
export type InventoryType = keyof typeof INVENTORY_TYPES;
