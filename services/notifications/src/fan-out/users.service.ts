import { Injectable } from '@nestjs/common';
import type { UserSeen } from '@po/contracts';
import { type Send, type Statement, assignments, insertRows, rowsIn } from '@po/database';
import { GroupCommit } from '@po/messaging';
import { Databases } from '../store/databases.js';
import { RECEIVES, lockDirectory } from './directory.js';
import { AUDIENCE_OF_USER } from '../inbox/inbox.js';
import { MovedInboxes } from '../inbox/moved-inboxes.js';
import { DirectoryUser } from '../store/user.entity.js';

const BACKFILL_DAYS = 30;
const BACKFILL_LIMIT = 200;
const USERS_AT_ONCE = 64;

const KNOWN: Statement = {
  name: 'users-known',
  text: 'SELECT user_id AS sub, seen_at AS "seenAt" FROM users WHERE user_id = ANY($1)',
};

const INSERT: Statement = {
  name: 'users-insert',
  text: `${insertRows(DirectoryUser, '$1', { without: ['lastSeq'] })} ON CONFLICT DO NOTHING RETURNING user_id`,
};
const REPLACE_OLDER: Statement = {
  name: 'users-replace-older',
  text: `UPDATE users u SET ${assignments(DirectoryUser, ['userId', 'lastSeq'])} FROM ${rowsIn(DirectoryUser, '$1', 'n')}
          WHERE u.user_id = n."userId" AND u.seen_at < n."seenAt"`,
};

/** Keeps the directory of users, and gives a first-seen one the notifications that would have been theirs. */
@Injectable()
export class UsersService {
  private readonly arrivals = new GroupCommit<UserSeen>((users) => this.take(users), { largest: USERS_AT_ONCE });

  constructor(
    private readonly databases: Databases,
    private readonly moved: MovedInboxes,
  ) {}

  /** Takes the newest description of a user; an older or repeated one changes nothing. */
  seen(user: UserSeen): Promise<void> {
    return this.arrivals.add(user);
  }

  // One transaction a user, so that fan-outs wait for one backfill at most; one after another, because side by side they would
  // only wait for each other's lock, each on a connection of its own.
  private async take(users: readonly UserSeen[]): Promise<void> {
    const { internal } = this.databases;
    const rows = await internal.read<{ sub: string; seenAt: Date }>(null, KNOWN, [users.map(({ sub }) => sub)]);
    const seenAtOf = new Map(rows.map(({ sub, seenAt }) => [sub, seenAt]));
    for (const { sub, role, vendorCode, email, locale, seenAt } of users) {
      const user = { userId: sub, role, vendorCode, email, locale, seenAt: new Date(seenAt) };
      const known = seenAtOf.get(sub);
      if (known && known >= user.seenAt) continue;
      await internal.transaction(null, (send) => describe(send, user));
      // They may have been given what was there before they came.
      if (!known) this.moved.tell([sub]);
    }
  }
}

async function describe(send: Send, user: Omit<DirectoryUser, 'lastSeq'>): Promise<void> {
  await lockDirectory(send);
  const row = JSON.stringify([user]);
  const [inserted] = await send(INSERT, [row]);
  if (inserted) await backfill(send, user);
  else await send(REPLACE_OLDER, [row]);
}

async function backfill(send: Send, { userId, role }: Pick<DirectoryUser, 'userId' | 'role'>): Promise<void> {
  if (role !== 'VENDOR' && role !== 'BUYER') return;
  await send(
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
