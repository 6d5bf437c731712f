import type { NotificationKind } from '@po/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Who hears of an entry; its actor never does, whatever stands here. */
export interface Audience {
  /** Every VENDOR user of the order's vendor code. */
  vendor: boolean;
  /** `own`: the BUYER users with the order's buyer e-mail, also when they are first seen later; `every`: all BUYER users. */
  buyers: 'none' | 'own' | 'every';
}

/**
 * What notifications are about, with the audience it had when it was announced: a history entry, a reminder as an entry whose action is
 * its rule and whose status stayed, or a message as one whose comment is its beginning. The table keeps the name of its first kind; a version that knows no other shows a reminder like
 * an action of a newer version.
 */
@Entity('transitions')
export class Entry {
  /** Of the history entry, the reminder or the message. */
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
  @Column({ name: 'to_buyers', type: 'text' }) toBuyers!: Audience['buyers'];
  /** No user of a vendor may see it. */
  @Column({ name: 'internal', type: 'boolean', default: false }) internal!: boolean;
  /** Of a message: users who hear of it beside the audience, if they may see it. */
  @Column({ name: 'named', type: 'text', array: true, nullable: true }) named!: string[] | null;
  /** Of a reminder, as its title is; null for a history entry, whose title is made when it is shown. */
  @Column({ name: 'due_on', type: 'date', nullable: true }) dueOn!: string | null;
  @Column({ name: 'step', type: 'integer', nullable: true }) step!: number | null;
  @Column({ name: 'title', type: 'text', nullable: true }) title!: string | null;
  @Column({ name: 'title_zh', type: 'text', nullable: true }) titleZh!: string | null;
}
