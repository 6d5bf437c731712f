import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The source's values of a line. */
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
  rowFlags: number,
];

/** The negotiated values of a line; null if there are none. */
export type NegotiatedSide =
  | [
      vendorReplyQty: number | null,
      agreedQty: number | null,
      vendorReplyUnitPrice: number | null,
      agreedUnitPrice: number | null,
      valueFlags: number,
    ]
  | null;

/**
 * A line item with all its lines, in source order, which are always read and written together. Prices are integers in
 * ten-thousandths. `vendorCode` is repeated here because row-level security must not need a join.
 */
@Entity('line_items')
export class LineItemEntity {
  @PrimaryColumn({ name: 'order_id', type: 'integer' }) orderId!: number;
  @PrimaryColumn({ name: 'code', type: 'text' }) code!: string;
  @PrimaryColumn({ name: 'style', type: 'text' }) style!: string;
  @PrimaryColumn({ name: 'color', type: 'text' }) color!: string;
  @Column({ name: 'vendor_code', type: 'text' }) vendorCode!: string;
  /** Number of lines that are part of the order now. */
  @Column({ name: 'row_count', type: 'integer' }) rowCount!: number;
  @Column({ name: 'source', type: 'json' }) source!: SourceSide[];
  /** Parallel to `source`; null if nothing is negotiated. The only column that the vendor's role may write. */
  @Column({ name: 'negotiated', type: 'json' }) negotiated!: NegotiatedSide[] | null;
}
