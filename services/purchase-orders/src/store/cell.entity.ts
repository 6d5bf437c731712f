import { Column, Entity, PrimaryColumn } from 'typeorm';

/** One size row of an order. `vendorCode` is repeated here because row-level security must not need a join. */
@Entity('cells')
export class CellEntity {
  @PrimaryColumn({ name: 'order_id', type: 'integer' }) orderId!: number;
  @PrimaryColumn({ name: 'row_hash', type: 'text' }) rowHash!: string;
  @Column({ name: 'vendor_code', type: 'text' }) vendorCode!: string;
  @Column({ name: 'position', type: 'integer' }) position!: number;
  @Column({ name: 'line_id', type: 'text' }) lineId!: string;
  @Column({ name: 'code', type: 'text' }) code!: string;
  @Column({ name: 'style', type: 'text' }) style!: string;
  @Column({ name: 'color', type: 'text' }) color!: string;
  @Column({ name: 'size', type: 'text' }) size!: string;
  @Column({ name: 'sku', type: 'text' }) sku!: string | null;

  @Column({ name: 'original_qty', type: 'integer' }) originalQty!: number;
  @Column({ name: 'source_qty', type: 'integer' }) sourceQty!: number;
  @Column({ name: 'vendor_reply_qty', type: 'integer' }) vendorReplyQty!: number | null;
  @Column({ name: 'agreed_qty', type: 'integer' }) agreedQty!: number | null;
  @Column({ name: 'qty_source_changed', type: 'boolean' }) qtySourceChanged!: boolean;
  @Column({ name: 'qty_edited', type: 'boolean' }) qtyEdited!: boolean;

  @Column({ name: 'original_unit_price', type: 'numeric' }) originalUnitPrice!: string;
  @Column({ name: 'source_unit_price', type: 'numeric' }) sourceUnitPrice!: string;
  @Column({ name: 'vendor_reply_unit_price', type: 'numeric' }) vendorReplyUnitPrice!: string | null;
  @Column({ name: 'agreed_unit_price', type: 'numeric' }) agreedUnitPrice!: string | null;
  @Column({ name: 'price_source_changed', type: 'boolean' }) priceSourceChanged!: boolean;
  @Column({ name: 'price_edited', type: 'boolean' }) priceEdited!: boolean;

  @Column({ name: 'removed', type: 'boolean' }) removed!: boolean;
  @Column({ name: 'removal_echoed', type: 'boolean' }) removalEchoed!: boolean;
}
