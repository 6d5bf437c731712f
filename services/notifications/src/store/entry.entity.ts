import type { NotificationKind } from '@po/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Who receives notifications of an entry. The actor is always excluded. */
export interface RecipientRule {
  /** Every VENDOR user of the order's vendor code. */
  vendor: boolean;
  /** `own`: the BUYER users with the order's buyer e-mail, including users first seen later; `every`: all BUYER users. */
  buyers: 'none' | 'own' | 'every';
}

/**
 * What notifications are about, with the recipient rule at the time of the fan-out. A history entry; or a reminder, whose action is its rule
 * and whose status is unchanged; or a message, whose comment is the beginning of its text. The table is named after the first kind. A
 * version that knows only that kind shows a reminder like an action of a newer version.
 */
@Entity('transitions')
export class Entry {
  /** Id of the history entry, the reminder or the message. */
  @PrimaryColumn({ name: 'history_id', type: 'text' }) entryId!: string;
  @Column({ name: 'kind', type: 'text', default: 'TRANSITION' }) kind!: NotificationKind;
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
  @Column({ name: 'to_buyers', type: 'text' }) toBuyers!: RecipientRule['buyers'];
  /** Hidden from all users of a vendor. */
  @Column({ name: 'internal', type: 'boolean', default: false }) internal!: boolean;
  /** Messages only: further recipients, if they may see the message. */
  @Column({ name: 'named', type: 'text', array: true, nullable: true }) named!: string[] | null;
  /** Reminders only, like `step`. Titles are null for a history entry, whose title is composed when it is shown. */
  @Column({ name: 'due_on', type: 'date', nullable: true }) dueOn!: string | null;
  @Column({ name: 'step', type: 'integer', nullable: true }) step!: number | null;
  @Column({ name: 'title', type: 'text', nullable: true }) title!: string | null;
  @Column({ name: 'title_zh', type: 'text', nullable: true }) titleZh!: string | null;
}
