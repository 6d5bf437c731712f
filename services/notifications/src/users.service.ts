import { Injectable } from '@nestjs/common';
import type { UserSeen } from '@po/contracts';
import type { EntityManager } from 'typeorm';
import { Databases } from './databases.js';
import { RECEIVES, lockDirectory } from './directory.js';
import { AUDIENCE_OF_USER } from './inbox.js';
import { DirectoryUser } from './user.entity.js';

const BACKFILL_DAYS = 30;
const BACKFILL_LIMIT = 200;

/** Keeps the directory of users, and gives a first-seen one the notifications that would have been theirs. */
@Injectable()
export class UsersService {
  constructor(private readonly databases: Databases) {}

  /** Takes the newest description of a user; an older or repeated one changes nothing. */
  async seen({ sub, role, vendorCode, email, locale, seenAt }: UserSeen): Promise<void> {
    const user = { userId: sub, role, vendorCode, email, locale, seenAt: new Date(seenAt) };
    await this.databases.internal.transaction(null, async (manager) => {
      const known = await manager.findOneBy(DirectoryUser, { userId: sub });
      if (known && known.seenAt >= user.seenAt) return;
      await lockDirectory(manager);
      const insert = manager.createQueryBuilder().insert().into(DirectoryUser).values(user).orIgnore();
      const inserted = await insert.returning('user_id').execute();
      if ((inserted.raw as unknown[]).length === 1) await backfill(manager, user);
      else await replaceOlder(manager, user);
    });
  }
}

async function replaceOlder(manager: EntityManager, user: Omit<DirectoryUser, 'lastSeq'>): Promise<void> {
  const update = manager.createQueryBuilder().update(DirectoryUser).set(user);
  await update.where('user_id = :userId AND seen_at < :seenAt', user).execute();
}

async function backfill(
  manager: EntityManager,
  { userId, role }: Pick<DirectoryUser, 'userId' | 'role'>,
): Promise<void> {
  if (role !== 'VENDOR' && role !== 'BUYER') return;
  await manager.query(
    `WITH theirs AS (
       SELECT t.history_id, t.occurred_at, ${AUDIENCE_OF_USER} AS audience FROM transitions t, users u
        WHERE u.user_id = $1 AND ${RECEIVES[role]}
          AND t.occurred_at > clock_timestamp() - $2 * interval '1 day'
        ORDER BY t.occurred_at DESC, t.history_id DESC LIMIT $3
     ), counted AS (
       UPDATE users SET last_seq = (SELECT count(*) FROM theirs) WHERE user_id = $1
     )
     INSERT INTO notifications (user_id, audience, seq, history_id, created_at)
     SELECT $1, audience, row_number() OVER (ORDER BY occurred_at, history_id), history_id,
            LEAST(occurred_at, statement_timestamp())
       FROM theirs`,
    [userId, BACKFILL_DAYS, BACKFILL_LIMIT],
  );
}
