import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What the source says of a size row: row hash, position, line id, size, SKU, quantities and prices (original, source), standing. */
export type SourceSide = [
  rowHash: string,
  position: number,
  lineId: string,
  size: string,
  sku: string | null,
  originalQty: number,
  sourceQty: number,
  originalUnitPrice: number,
  sourceUnitPrice: number,
  standing: number,
];

/** What became of it between vendor and buyer; null as long as that is nothing. */
export type NegotiatedSide =
  | [
      vendorReplyQty: number | null,
      agreedQty: number | null,
      vendorReplyUnitPrice: number | null,
      agreedUnitPrice: number | null,
      marks: number,
    ]
  | null;

/**
 * A line item of an order: all its size rows, in source order, which are always read and written together. Prices are whole
 * ten-thousandths. `vendorCode` is repeated here because row-level security must not need a join.
 */
@Entity('line_items')
export class LineItemEntity {
  @PrimaryColumn({ name: 'order_id', type: 'integer' }) orderId!: number;
  @PrimaryColumn({ name: 'code', type: 'text' }) code!: string;
  @PrimaryColumn({ name: 'style', type: 'text' }) style!: string;
  @PrimaryColumn({ name: 'color', type: 'text' }) color!: string;
  @Column({ name: 'vendor_code', type: 'text' }) vendorCode!: string;
  /** Size rows that are part of the order now. */
  @Column({ name: 'row_count', type: 'integer' }) rowCount!: number;
  @Column({ name: 'source', type: 'json' }) source!: SourceSide[];
  /** Of the size rows in the same places; null as long as that is nothing. The only column that the vendor's role may write. */
  @Column({ name: 'negotiated', type: 'json' }) negotiated!: NegotiatedSide[] | null;
}
