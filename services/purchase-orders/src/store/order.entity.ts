import type { StatusChange, StatusId } from '@po/contracts';
import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { NEGOTIATED_COLUMNS, type NegotiatedColumns } from './negotiated-columns.js';

// `numeric` and `bigint` columns are strings, as the driver gives them: a JavaScript number cannot hold all of their values.

// oxlint-disable-next-line typescript/no-unsafe-declaration-merging -- the columns of negotiated fields are declared below the class
export interface OrderEntity extends NegotiatedColumns {}

/** A purchase order's row. It has everything that a list shows, so that a list reads no other table except the vendors'. */
@Entity('purchase_orders')
export class OrderEntity {
  @PrimaryGeneratedColumn('identity', { name: 'id', type: 'integer', generatedIdentity: 'ALWAYS' }) id!: number;
  @Column({ name: 'po_number', type: 'text' }) poNumber!: string;
  @Column({ name: 'vendor_code', type: 'text' }) vendorCode!: string;
  @Column({ name: 'status_id', type: 'smallint' }) statusId!: StatusId;
  @Column({ name: 'version', type: 'integer' }) version!: number;
  @Column({ name: 'sequence', type: 'integer' }) sequence!: number;
  @Column({ name: 'source_revision', type: 'bigint' }) sourceRevision!: string;
  @Column({ name: 'po_date', type: 'date' }) poDate!: string;
  @Column({ name: 'currency', type: 'text' }) currency!: string;

  @Column({ name: 'season', type: 'text' }) season!: string | null;
  @Column({ name: 'brand', type: 'text' }) brand!: string | null;
  @Column({ name: 'ship_mode', type: 'text' }) shipMode!: string | null;
  @Column({ name: 'trade_term', type: 'text' }) tradeTerm!: string | null;
  @Column({ name: 'payment_term', type: 'text' }) paymentTerm!: string | null;
  @Column({ name: 'destination', type: 'text' }) destination!: string | null;
  @Column({ name: 'buyer_name', type: 'text' }) buyerName!: string | null;
  @Column({ name: 'buyer_email', type: 'text' }) buyerEmail!: string | null;
  @Column({ name: 'remarks', type: 'text' }) remarks!: string | null;

  @Column({ name: 'vendor_reply_comment', type: 'text' }) vendorReplyComment!: string | null;
  @Column({ name: 'comment_baseline', type: 'text' }) commentBaseline!: string | null;
  @Column({ name: 'comment_edited', type: 'boolean' }) commentEdited!: boolean;
  @Column({ name: 'comment_recorded', type: 'text' }) commentRecorded!: string | null;
  @Column({ name: 'container_number', type: 'text' }) containerNumber!: string | null;
  @Column({ name: 'container_baseline', type: 'text' }) containerBaseline!: string | null;
  @Column({ name: 'container_edited', type: 'boolean' }) containerEdited!: boolean;
  @Column({ name: 'container_recorded', type: 'text' }) containerRecorded!: string | null;
  @Column({ name: 'tracking_number', type: 'text' }) trackingNumber!: string | null;
  @Column({ name: 'tracking_baseline', type: 'text' }) trackingBaseline!: string | null;
  @Column({ name: 'tracking_edited', type: 'boolean' }) trackingEdited!: boolean;
  @Column({ name: 'tracking_recorded', type: 'text' }) trackingRecorded!: string | null;

  @Column({ name: 'agreed_at', type: 'timestamptz' }) agreedAt!: Date | null;
  @Column({ name: 'has_source_conflict', type: 'boolean' }) hasSourceConflict!: boolean;

  @Column({ name: 'xf_date', type: 'date' }) xfDate!: string;
  @Column({ name: 'amount', type: 'numeric' }) amount!: string;
  @Column({ name: 'original_amount', type: 'numeric' }) originalAmount!: string;
  @Column({ name: 'total_qty', type: 'bigint' }) totalQty!: string;
  @Column({ name: 'original_total_qty', type: 'bigint' }) originalTotalQty!: string;
  @Column({ name: 'line_count', type: 'integer' }) lineCount!: number;
  @Column({ name: 'has_pending_changes', type: 'boolean' }) hasPendingChanges!: boolean;
  /** The revision of the source's last message, `/`, and a hash of its remaining content; null if unknown. */
  @Column({ name: 'source_digest', type: 'text', select: false }) sourceDigest!: string | null;
  /** The last status changes as in the published state, newest first; read only to change the order. */
  @Column({ name: 'recent_activity', type: 'json', select: false }) recentActivity!: readonly StatusChange[];

  /** Generation of the settings that the reminders were computed with. */
  @Column({ name: 'reminders_generation', type: 'integer' }) remindersGeneration!: number;
  @Column({ name: 'waiting_since', type: 'timestamptz' }) waitingSince!: Date | null;
  @Column({ name: 'waiting_done_until', type: 'timestamptz' }) waitingDoneUntil!: Date | null;
  @Column({ name: 'waiting_first_due_at', type: 'timestamptz' }) waitingFirstDueAt!: Date | null;
  @Column({ name: 'waiting_next_due_at', type: 'timestamptz' }) waitingNextDueAt!: Date | null;
  @Column({ name: 'overdue_since', type: 'timestamptz' }) overdueSince!: Date | null;
  @Column({ name: 'overdue_done_until', type: 'timestamptz' }) overdueDoneUntil!: Date | null;
  @Column({ name: 'overdue_first_due_at', type: 'timestamptz' }) overdueFirstDueAt!: Date | null;
  @Column({ name: 'overdue_next_due_at', type: 'timestamptz' }) overdueNextDueAt!: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz' }) createdAt!: Date;
  @Column({ name: 'updated_at', type: 'timestamptz' }) updatedAt!: Date;
  @Column({ name: 'last_synced_at', type: 'timestamptz' }) lastSyncedAt!: Date;
}

for (const { property, column, type } of NEGOTIATED_COLUMNS) {
  Column({ name: column, type })(OrderEntity.prototype, property);
}
