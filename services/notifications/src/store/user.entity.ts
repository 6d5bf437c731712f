import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A user as described by their newest token. `lastSeq` is the number of the latest notification and changes under the lock of this row. */
@Entity('users')
export class DirectoryUser {
  @PrimaryColumn({ name: 'user_id', type: 'text' }) userId!: string;
  @Column({ name: 'role', type: 'text' }) role!: string;
  @Column({ name: 'vendor_code', type: 'text', nullable: true }) vendorCode!: string | null;
  @Column({ name: 'email', type: 'text', nullable: true }) email!: string | null;
  @Column({ name: 'locale', type: 'text', nullable: true }) locale!: string | null;
  @Column({ name: 'seen_at', type: 'timestamptz', precision: 3 }) seenAt!: Date;
  /** Issue time of the token; null if the announcement had none. */
  @Column({ name: 'issued_at', type: 'timestamptz', precision: 3, nullable: true }) issuedAt!: Date | null;
  /** Entries up to this instant are not for this user. */
  @Column({ name: 'deleted_at', type: 'timestamptz', precision: 3, nullable: true }) deletedAt!: Date | null;
  @Column({ name: 'last_seq', type: 'integer', default: 0 }) lastSeq!: number;
}
