import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A user as their newest token described them. `lastSeq` numbers their notifications, under the lock of this row. */
@Entity('users')
export class DirectoryUser {
  @PrimaryColumn({ name: 'user_id', type: 'text' }) userId!: string;
  @Column({ name: 'role', type: 'text' }) role!: string;
  @Column({ name: 'vendor_code', type: 'text', nullable: true }) vendorCode!: string | null;
  @Column({ name: 'email', type: 'text', nullable: true }) email!: string | null;
  @Column({ name: 'locale', type: 'text', nullable: true }) locale!: string | null;
  @Column({ name: 'seen_at', type: 'timestamptz', precision: 3 }) seenAt!: Date;
  @Column({ name: 'last_seq', type: 'integer', default: 0 }) lastSeq!: number;
}
