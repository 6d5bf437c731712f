import type { ErrorCode, ProblemError } from '@po/contracts';
import { Column, Entity, PrimaryColumn } from 'typeorm';

/** A refused command. A redelivery is refused as well, because the caller has already received the refusal. */
@Entity('command_refusals')
export class RefusalEntity {
  @PrimaryColumn({ name: 'command_id', type: 'text' }) commandId!: string;
  @Column({ name: 'vendor_code', type: 'text' }) vendorCode!: string | null;
  @Column({ name: 'code', type: 'text' }) code!: ErrorCode;
  @Column({ name: 'members', type: 'json' }) members!: ProblemError['members'];
  @Column({ name: 'options', type: 'json' }) options!: ProblemError['options'];
  @Column({ name: 'expires_at', type: 'timestamptz' }) expiresAt!: Date;
}
