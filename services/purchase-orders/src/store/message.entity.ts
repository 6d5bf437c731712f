import type { MessageRow, MessageVisibility, Role } from '@po/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A message about an order; never updated or deleted. */
@Entity('messages')
export class MessageEntity {
  /** UUIDv7. */
  @PrimaryColumn({ name: 'id', type: 'uuid' }) id!: string;
  @Column({ name: 'order_id', type: 'integer' }) orderId!: number;
  @Column({ name: 'po_number', type: 'text' }) poNumber!: string;
  @Column({ name: 'vendor_code', type: 'text' }) vendorCode!: string;
  @Column({ name: 'visibility', type: 'text' }) visibility!: MessageVisibility;
  @Column({ name: 'body', type: 'text' }) body!: string;
  /** Rows as they were when the message was written. */
  @Column({ name: 'rows', type: 'json' }) rows!: MessageRow[];
  @Column({ name: 'mentions', type: 'json' }) mentions!: { userId: string; name: string | null }[];
  @Column({ name: 'author_id', type: 'text' }) authorId!: string;
  @Column({ name: 'author_name', type: 'text' }) authorName!: string | null;
  @Column({ name: 'author_role', type: 'text' }) authorRole!: Role;
  @Column({ name: 'created_at', type: 'timestamptz' }) createdAt!: Date;
}
