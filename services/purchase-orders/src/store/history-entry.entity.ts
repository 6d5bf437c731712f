import type { ActorRole, Agreement, AnyAction, Changes, StatusId } from '@po/contracts';
import type { Deviation } from '../domain/tolerances.js';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** An entry of an order's history; never updated or deleted. */
@Entity('history')
export class HistoryEntryEntity {
  /** UUIDv7. */
  @PrimaryColumn({ name: 'id', type: 'uuid' }) id!: string;
  @Column({ name: 'order_id', type: 'integer' }) orderId!: number;
  @Column({ name: 'po_number', type: 'text' }) poNumber!: string;
  @Column({ name: 'vendor_code', type: 'text' }) vendorCode!: string;
  /** 1, 2, 3 … per order. */
  @Column({ name: 'sequence', type: 'integer' }) sequence!: number;
  @Column({ name: 'po_version', type: 'integer' }) poVersion!: number;
  @Column({ name: 'action', type: 'text' }) action!: AnyAction;
  @Column({ name: 'from_status_id', type: 'smallint' }) fromStatusId!: StatusId | null;
  @Column({ name: 'to_status_id', type: 'smallint' }) toStatusId!: StatusId;
  @Column({ name: 'comment', type: 'text' }) comment!: string | null;
  @Column({ name: 'actor_id', type: 'text' }) actorId!: string | null;
  @Column({ name: 'actor_name', type: 'text' }) actorName!: string | null;
  @Column({ name: 'actor_role', type: 'text' }) actorRole!: ActorRole;
  @Column({ name: 'occurred_at', type: 'timestamptz' }) occurredAt!: Date;
  @Column({ name: 'changes', type: 'json' }) changes!: Changes | null;
  @Column({ name: 'agreed', type: 'json', select: false }) agreed!: Agreement | null;
  /** For SUBMIT only; null for other actions. */
  @Column({ name: 'submission', type: 'json', select: false }) submission!: Deviation | null;
}
