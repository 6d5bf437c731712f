import { Column, Entity, PrimaryColumn } from 'typeorm';

/** The role of a user who was deleted, of whom nothing else is kept. No token has it. */
export const DELETED_ROLE = '';

/** A user as their newest token described them. `lastSeq` numbers their notifications, under the lock of this row. */
@Entity('users')
export class DirectoryUser {
  @PrimaryColumn({ name: 'user_id', type: 'text' }) userId!: string;
  @Column({ name: 'role', type: 'text' }) role!: string;
  @Column({ name: 'vendor_code', type: 'text', nullable: true }) vendorCode!: string | null;
  @Column({ name: 'email', type: 'text', nullable: true }) email!: string | null;
  @Column({ name: 'locale', type: 'text', nullable: true }) locale!: string | null;
  @Column({ name: 'seen_at', type: 'timestamptz', precision: 3 }) seenAt!: Date;
  /** When the token was; null where its announcement did not tell. */
  @Column({ name: 'issued_at', type: 'timestamptz', precision: 3, nullable: true }) issuedAt!: Date | null;
  /** Nothing that happened up to then is theirs. */
  @Column({ name: 'deleted_at', type: 'timestamptz', precision: 3, nullable: true }) deletedAt!: Date | null;
  @Column({ name: 'last_seq', type: 'integer', default: 0 }) lastSeq!: number;
}
