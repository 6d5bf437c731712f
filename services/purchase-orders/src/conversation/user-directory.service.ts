import { Injectable } from '@nestjs/common';
import { ProblemError, type UserDeleted, type UserSeen } from '@po/contracts';
import { type Statement, isNewer } from '@po/database';
import { type Reply, type RpcContext, noContent } from '@po/messaging';
import { Databases } from '../store/databases.js';
import { fold } from '../store/search-texts.js';

// An announcement from before a deletion must not restore the deleted data.
const DESCRIBE: Statement = {
  name: 'directory-describe',
  text: `INSERT INTO directory AS d (user_id, name, name_key, role, vendor_code, seen_at, issued_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)
             ON CONFLICT (user_id) DO UPDATE
            SET name = excluded.name, name_key = excluded.name_key, role = excluded.role, vendor_code = excluded.vendor_code,
                seen_at = GREATEST(d.seen_at, excluded.seen_at), issued_at = excluded.issued_at
          WHERE ${isNewer('d')} AND excluded.seen_at > COALESCE(d.deleted_at, '-infinity')`,
};
// A deletion may arrive late, repeatedly, or after the user was seen again.
const keepIfSeenLater = (column: string) =>
  `${column} = CASE WHEN d.seen_at > excluded.deleted_at THEN d.${column} END`;
const PERSONAL_COLUMNS = ['name', 'name_key', 'role', 'vendor_code', 'issued_at'];
const DELETE: Statement = {
  name: 'directory-delete',
  text: `INSERT INTO directory AS d (user_id, seen_at, deleted_at) VALUES ($1, $2, $2)
             ON CONFLICT (user_id) DO UPDATE
            SET deleted_at = excluded.deleted_at, ${PERSONAL_COLUMNS.map(keepIfSeenLater).join(', ')}
          WHERE d.deleted_at IS NULL OR d.deleted_at < excluded.deleted_at`,
};

/** Stores the known users, who may be mentioned; their e-mail addresses are not stored. */
@Injectable()
export class UserDirectory {
  constructor(private readonly databases: Databases) {}

  async seen({ sub, name, role, vendorCode, seenAt, issuedAt }: UserSeen): Promise<void> {
    const values = [sub, name, name === null ? null : fold(name), role, vendorCode, seenAt, issuedAt];
    await this.databases.internal.transaction(null, (send) => send(DESCRIBE, values));
  }

  /** Applies a deletion before its event arrives. Throws ROLE_NOT_ALLOWED. */
  async deleteUser(user: UserDeleted, { actor }: Pick<RpcContext, 'actor'>): Promise<Reply<never>> {
    if (actor.role !== 'ADMIN') throw new ProblemError('ROLE_NOT_ALLOWED');
    await this.deleted(user);
    return noContent();
  }

  async deleted({ sub, deletedAt }: UserDeleted): Promise<void> {
    await this.databases.internal.transaction(null, (send) => send(DELETE, [sub, deletedAt]));
  }
}
