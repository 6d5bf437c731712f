import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ReplyHeaders } from '@po/messaging';

/** The stored answer of a successful write, by its idempotency key. */
@Entity('command_log')
export class CommandEntity {
  /** SHA-256 of user, role, vendor code, method, message type, reference and key. */
  @PrimaryColumn({ name: 'key_hash', type: 'text' }) keyHash!: string;
  @Column({ name: 'vendor_code', type: 'text' }) vendorCode!: string | null;
  @Column({ name: 'command_id', type: 'text' }) commandId!: string;
  @Column({ name: 'body_hash', type: 'text' }) bodyHash!: string;
  @Column({ name: 'status', type: 'smallint' }) status!: number;
  @Column({ name: 'headers', type: 'json' }) headers!: ReplyHeaders;
  /** JSON text, byte for byte as it was returned; a string when read from the database. */
  @Column({ name: 'body', type: 'text' }) body!: string | Buffer;
  @Column({ name: 'expires_at', type: 'timestamptz' }) expiresAt!: Date;
}
