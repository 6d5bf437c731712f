import { z } from 'zod';
import { says } from './says.js';
import { CalendarDate, PoRef, Price, Qty, text } from './text.js';

const Revision = z.int().min(0);
const required = (max: number) => text(max).trim().min(1);
const optional = (max: number) =>
  text(max)
    .nullish()
    .transform((value) => value?.trim() || null);

/** Cells are compared trimmed and in Unicode NFC: so are they stored. */
const cellName = (max: number) => required(max).overwrite((value) => value.normalize('NFC'));

const MAX_LINES = 5000;

export const InventoryLine = z.object({
  lineId: required(100),
  code: cellName(100),
  style: cellName(100),
  color: cellName(100),
  size: cellName(50),
  sku: optional(100),
  qty: Qty,
  unitPrice: Price,
});
export type InventoryLine = z.infer<typeof InventoryLine>;

/** The complete purchase order as the inventory system holds it at `sourceRevision`. Unknown fields are ignored. */
export const PurchaseOrderUpserted = z
  .object({
    poNumber: PoRef,
    sourceRevision: Revision,
    poDate: CalendarDate,
    xfd: CalendarDate,
    vendor: z.object({ code: required(50), name: required(200) }),
    currency: z
      .string()
      .refine(
        (code) => /^[A-Z]{3}$/.test(code),
        says(
          'INVALID_CURRENCY',
          'must be an ISO 4217 code of three capital letters',
          '必须是 ISO 4217 货币代码，由三个大写字母组成',
        ),
      ),
    factory: optional(200),
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
    const seen = new Map<string, number>();
    for (const [index, line] of lines.entries()) {
      const cell = [line.code, line.style, line.color, line.size].join('\u001f');
      const first = seen.get(cell);
      if (first !== undefined) {
        context.addIssue({
          code: 'custom',
          path: ['lines', index],
          message: `is the same code, style, color and size as /lines/${first}`,
        });
      }
      seen.set(cell, first ?? index);
    }
  });
export type PurchaseOrderUpserted = z.infer<typeof PurchaseOrderUpserted>;

export const PurchaseOrderCancelled = z.object({
  poNumber: PoRef,
  sourceRevision: Revision,
  reason: optional(2000),
});
export type PurchaseOrderCancelled = z.infer<typeof PurchaseOrderCancelled>;

/** The `type` header of a record on the inventory topic, and what its value must be. */
export const INVENTORY_TYPES = {
  'purchase-order.upserted': PurchaseOrderUpserted,
  'purchase-order.cancelled': PurchaseOrderCancelled,
} as const;
export type InventoryType = keyof typeof INVENTORY_TYPES;
