import { PurchaseOrderTransitioned } from '@po/contracts';
import { z } from 'zod';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What this service reads of a transition: a change of the other fields, or a name of a newer version, must not dead-letter a notification. */
export const Transition = PurchaseOrderTransitioned.pick({
  id: true,
  poRef: true,
  poNumber: true,
  vendorCode: true,
  vendor: true,
  buyerEmail: true,
  action: true,
  fromStatusId: true,
  toStatusId: true,
  toStatus: true,
  toStatusZh: true,
  statusColor: true,
  comment: true,
  actorId: true,
  actorName: true,
  actorRole: true,
  occurredAt: true,
}).extend({ action: z.string(), actorRole: z.string() });
export type Transition = z.infer<typeof Transition>;

/** Who hears of a history entry; its actor never does, whatever stands here. */
export interface Audience {
  /** Every VENDOR user of the order's vendor code. */
  vendor: boolean;
  /** `own`: the BUYER users with the order's buyer e-mail, also when they are first seen later; `every`: all BUYER users. */
  buyers: 'none' | 'own' | 'every';
}

/** A history entry as it was announced, with the audience it had then. */
@Entity('transitions')
export class TransitionCopy {
  @PrimaryColumn({ name: 'history_id', type: 'text' }) historyId!: string;
  @Column({ name: 'po_ref', type: 'text' }) poRef!: string;
  @Column({ name: 'po_number', type: 'text' }) poNumber!: string;
  @Column({ name: 'vendor_code', type: 'text' }) vendorCode!: string;
  @Column({ name: 'vendor', type: 'text' }) vendor!: string;
  @Column({ name: 'buyer_email', type: 'text', nullable: true }) buyerEmail!: string | null;
  @Column({ name: 'action', type: 'text' }) action!: string;
  @Column({ name: 'from_status_id', type: 'integer', nullable: true }) fromStatusId!: number | null;
  @Column({ name: 'to_status_id', type: 'integer' }) toStatusId!: number;
  @Column({ name: 'to_status', type: 'text' }) toStatus!: string;
  @Column({ name: 'to_status_zh', type: 'text' }) toStatusZh!: string;
  @Column({ name: 'status_color', type: 'text' }) statusColor!: string;
  @Column({ name: 'comment', type: 'text', nullable: true }) comment!: string | null;
  @Column({ name: 'actor_id', type: 'text', nullable: true }) actorId!: string | null;
  @Column({ name: 'actor_name', type: 'text', nullable: true }) actorName!: string | null;
  @Column({ name: 'actor_role', type: 'text' }) actorRole!: string;
  @Column({ name: 'occurred_at', type: 'timestamptz', precision: 3 }) occurredAt!: Date;
  @Column({ name: 'to_vendor', type: 'boolean' }) toVendor!: boolean;
  @Column({ name: 'to_buyers', type: 'text' }) toBuyers!: Audience['buyers'];
}
